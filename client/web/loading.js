// Says what to do if the page does not start. Written for old browsers, which can't parse main.js. If this
// file is missing as well, the style sheet shows the help after a while.

(function () {
  var view = document.getElementById('loading');
  var tell = function (text) {
    if (!document.body.contains(view)) return; // the page has started
    view.className = 'failed';
    view.querySelector('p').textContent = text;
  };
  var tooOld = 'This browser is too old for this page. Update it, or open this address in a current ' +
    'Chrome, Edge, Firefox or Safari.';
  window.addEventListener('error', function (event) {
    if (event.target.tagName === 'SCRIPT') tell('Part of this page failed to load.');
    else if (event.error instanceof SyntaxError) tell(tooOld);
    else if (event.error) tell('This page failed to start: ' + event.error.message);
  }, true);
  if (!('noModule' in document.createElement('script'))) tell(tooOld);
})();
