"""Finds small changes that can be made in C++ sources, with libclang."""

import re

from clang.cindex import Config, CursorKind as Kind, Index, TranslationUnit

Config.set_library_file("libclang-19.so.1")

OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
             "+": "-", "-": "+", "+=": "-=", "-=": "+=", "*": "/", "/": "*"}
BOUNDS = {"std::min": "std::max", "std::max": "std::min"}
SCOPES = {Kind.NAMESPACE, Kind.CLASS_DECL, Kind.STRUCT_DECL}
DECLARATIONS = {Kind.VAR_DECL, Kind.FIELD_DECL}
CONDITIONAL = {Kind.IF_STMT, Kind.WHILE_STMT, Kind.DO_STMT, Kind.CONDITIONAL_OPERATOR}
BODIES = CONDITIONAL | {Kind.FOR_STMT, Kind.CXX_FOR_RANGE_STMT, Kind.COMPOUND_STMT, Kind.CASE_STMT, Kind.DEFAULT_STMT}
# Constants, types, and parameters with their default values.
SKIPPED = {Kind.STATIC_ASSERT, Kind.ENUM_DECL, Kind.PARM_DECL, Kind.TEMPLATE_NON_TYPE_PARAMETER,
           Kind.TEMPLATE_TYPE_PARAMETER, Kind.TEMPLATE_TEMPLATE_PARAMETER, Kind.TYPE_REF, Kind.TEMPLATE_REF,
           Kind.TYPEDEF_DECL, Kind.TYPE_ALIAS_DECL, Kind.CXX_UNARY_EXPR, Kind.CONCEPT_DECL, Kind.FRIEND_DECL}


def span(node):
    return node.extent.start.offset, node.extent.end.offset


def bare(kind):
    return re.sub(r"\bconst\b|&+$", "", kind.get_canonical().spelling).strip()


class File:
    """A source and its changes. A change is a tuple of edits (first byte, last byte + 1, text); the text is None for a
    statement that is dropped."""

    def __init__(self, source):
        self.source, self.macros, self.changes = source, [], set()

    def text(self, start, end):
        return self.source[start:end].decode(errors="replace")

    def code(self, node):
        return self.text(*span(node))

    def replace(self, node, text):
        self.changes.add(((*span(node), text),))

    def operator(self, children):
        """What stands between two operands."""
        return self.text(span(children[0])[1], span(children[-1])[0]).strip() if len(children) > 1 else ""

    def visit(self, node, parent):
        """Adds the changes of a node and of all below it."""
        start, end = span(node)
        children = list(node.get_children())
        if node.kind in SKIPPED or any(first <= start and end <= last for first, last in self.macros):
            return
        if node.kind in DECLARATIONS and re.search(r"\bconst(expr|init)\b", self.text(start, node.location.offset)):
            return
        if node.kind.is_expression() and end > start:
            self.visit_expression(node, parent, children)
        if node.kind in CONDITIONAL:
            self.negate_condition(node, children)
        elif node.kind == Kind.RETURN_STMT and children and bare(children[0].type) == "bool":
            self.negate(children[0])
        if node.kind == Kind.CASE_STMT:
            children = children[-1:]
        elif node.kind == Kind.DECL_REF_EXPR:  # its template arguments
            children = []
        for child in children:
            self.visit(child, node)

    def visit_expression(self, node, parent, children):
        start, end = span(node)
        text = self.text(start, end)
        if node.kind == Kind.INTEGER_LITERAL:
            self.change_number(node, parent, text)
        elif node.kind == Kind.CXX_BOOL_LITERAL_EXPR:
            self.replace(node, {"true": "false", "false": "true"}[text])
        elif node.kind == Kind.DECL_REF_EXPR:
            self.change_constant(node, text)
        elif (operator := self.operator(children)) in OPERATORS:
            left, right = span(children[0])[1], span(children[-1])[0]
            self.replace(node, self.text(start, left) + f" {OPERATORS[operator]} " + self.text(right, end))
        elif node.kind == Kind.CALL_EXPR:
            self.swap_arguments(node)
            if text[:8] in BOUNDS:
                self.replace(node, BOUNDS[text[:8]] + text[8:])
        # Not what stands between the parentheses of a `for` or an `if`.
        before = self.text(span(parent)[0], start).rstrip()
        if parent.kind in BODIES and self.text(end, end + 80).lstrip().startswith(";") and (
                parent.kind == Kind.COMPOUND_STMT or before.endswith((")", "else", "do", ":"))):
            self.replace(node, None)

    def negate(self, node):
        text = self.code(node)
        # Other changes say the same.
        if text not in ("true", "false") and self.operator(list(node.get_children())) not in ("==", "!="):
            self.replace(node, f"!static_cast<bool>({text})")

    def negate_condition(self, node, children):
        # Neither of `if constexpr` nor a variable that is a condition.
        for child in (child for child in children if child.kind.is_expression()):
            before, after = self.text(span(node)[0], span(child)[0]), self.text(span(child)[1], span(child)[1] + 80)
            in_parentheses = re.search(r"\b(if|while)\s*\((.*;)?\s*$", before, re.S) and after.lstrip().startswith(")")
            if node.kind == Kind.CONDITIONAL_OPERATOR or in_parentheses:
                return self.negate(child)

    def change_number(self, node, parent, text):
        """A literal, which keeps its suffix, one greater or less."""
        start, end = span(node)
        before = self.text(max(start - 80, 0), start)
        if parent.kind == Kind.MEMBER_REF_EXPR or before.endswith("<") or self.text(end, end + 1) == ">":
            return  # a template argument
        if parent.kind in DECLARATIONS and not before.rstrip().endswith(("=", "{", "(")):
            return  # a bound or the width of a field
        if match := re.fullmatch(r"(0[xX][0-9a-fA-F']+|[1-9][0-9']*|0)(\w*)", text):
            value = int(match[1].replace("'", ""), 0)
            for other in {value + 1, max(value - 1, 0)} - {value}:
                self.replace(node, f"{other}{match[2]}")

    def change_constant(self, node, text):
        """A use of a number that is a constant of a class or namespace."""
        constant = node.referenced
        if constant is None or constant.kind != Kind.VAR_DECL or constant.semantic_parent.kind not in SCOPES:
            return
        if constant.type.is_const_qualified() and re.search(r"\b(int|long|short)$", bare(constant.type)):
            for operator in "+-":
                self.replace(node, f"static_cast<std::decay_t<decltype({text})>>({text} {operator} 1)")

    def swap_arguments(self, node):
        arguments = [argument for argument in node.get_arguments() if argument is not None]
        for one, two in zip(arguments, arguments[1:]):
            inside = span(node)[0] <= span(one)[0] < span(one)[1] < span(two)[0] < span(two)[1] <= span(node)[1]
            if inside and bare(one.type) == bare(two.type) and self.code(one) != self.code(two) and (
                    not re.fullmatch("min|max|swap|equal|operator.*", node.spelling)):
                self.changes.add(((*span(one), self.code(two)), (*span(two), self.code(one))))


def find(name, options):
    """The changes of a source."""
    with open(name, "rb") as source:
        file = File(source.read())
    unit = Index.create().parse(name, ["-xc++", *options], options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    if errors := [problem for problem in unit.diagnostics if problem.severity >= problem.Error]:
        raise RuntimeError(f"{name}: {errors[0]}")
    nodes = [node for node in unit.cursor.get_children() if node.location.file and node.location.file.name == name]
    file.macros = [span(node) for node in nodes if node.kind == Kind.MACRO_INSTANTIATION]
    for node in nodes:
        if not node.kind.is_preprocessing():
            file.visit(node, unit.cursor)
    return file.changes
