// Finds small changes that can be made in modules of the page, with acorn. Prints the edits of each file: see File in
// sites.py.

const { readFileSync } = require('node:fs');
const { parse } = require('/usr/share/nodejs/acorn');

const operators = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '&&': '||', '||': '&&',
  '+': '-', '-': '+', '+=': '-=', '-=': '+=', '*': '/', '/': '*' };
const bounds = { 'Math.min': 'Math.max', 'Math.max': 'Math.min' };
const isPlain = (node) => ['Identifier', 'MemberExpression'].includes(node.type);

function changes(source) {
  const found = [];
  const at = (offset) => Buffer.byteLength(source.slice(0, offset));
  const code = (node) => source.slice(node.start, node.end);
  const edit = (node, text) => [at(node.start), at(node.end), text];
  const replace = (node, text) => found.push([edit(node, text)]);
  const visit = (node) => {
    const { type, operator, left, right, test, value } = node;
    if (left && right && Object.hasOwn(operators, operator)) {
      // A text has no other operator.
      const isText = operator.startsWith('+') && /['`]/.test(code(left).slice(-1) + code(right)[0]);
      const between = source.slice(left.end, right.start).replace(operator, operators[operator]);
      if (!isText) replace(node, source.slice(node.start, left.end) + between + source.slice(right.start, node.end));
    } else if (operator === '??') {
      replace(node, code(left));
    } else if (type === 'Literal' && typeof value === 'number') {
      for (const other of new Set([value + 1, Math.max(value - 1, 0)])) if (other !== value) replace(node, `${other}`);
    } else if (type === 'Literal' && typeof value === 'boolean') {
      replace(node, `${!value}`);
    } else if (type === 'CallExpression') {
      if (Object.hasOwn(bounds, code(node.callee))) return replace(node.callee, bounds[code(node.callee)]);
      node.arguments.slice(1).forEach((two, i) => {
        const one = node.arguments[i];
        const differ = isPlain(one) && isPlain(two) && code(one) !== code(two);
        if (differ) found.push([edit(one, code(two)), edit(two, code(one))]);
      });
    } else if (type === 'ExpressionStatement') {
      replace(node.expression, null);
    }
    if (test && !/^[!=]==$/.test(test.operator)) replace(test, `!(${code(test)})`);
    for (const [name, child] of Object.entries(node)) {
      if (name === 'key' && !node.computed) continue;
      for (const each of [child].flat()) if (each?.type) visit(each);
    }
  };
  visit(parse(source, { ecmaVersion: 2022, sourceType: 'module' }));
  return found;
}

const found = process.argv.slice(2).map((name) => [name, changes(readFileSync(name, 'utf8'))]);
console.log(JSON.stringify(Object.fromEntries(found)));
