(function () {
'use strict';
var root = document.documentElement, get = function (id) { return document.getElementById(id); };
root.classList.add('js');
var theme = get('theme'), kept = null;
try { kept = localStorage.getItem('gauntlet-theme'); } catch (e) { kept = null; }
function dark() { return root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches; }
function name() { theme.textContent = dark() ? 'Light' : 'Dark'; theme.setAttribute('aria-label', 'Switch to the ' + (dark() ? 'light' : 'dark') + ' theme'); }
if (kept === 'dark' || kept === 'light') root.dataset.theme = kept;
name();
theme.onclick = function () {
  root.dataset.theme = dark() ? 'light' : 'dark';
  try { localStorage.setItem('gauntlet-theme', root.dataset.theme); } catch (e) { kept = null; }
  name();
};
document.querySelectorAll('pre.cmd').forEach(function (pre) {
  var code = pre.querySelector('code'), button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy the command');
  button.onclick = function () {
    function select() { var range = document.createRange(), all = getSelection(); range.selectNodeContents(code); all.removeAllRanges(); all.addRange(range); }
    function said() { button.textContent = 'Copied'; setTimeout(function () { button.textContent = 'Copy'; }, 1600); }
    if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(said, select); else select();
  };
  pre.appendChild(button);
});
var source = get('data');
if (!source) return;
var data = JSON.parse(source.textContent), at = data.end, playing = false, last = 0, speed = 10;
var scrub = get('scrub'), clock = get('clock'), play = get('play'), still = matchMedia('(prefers-reduced-motion:reduce)');
var moments = [0];
data.lanes.forEach(function (lane) { lane.moments.forEach(function (moment) { moments.push(moment); }); });
moments = moments.sort(function (a, b) { return a - b; }).filter(function (it, i, all) { return !i || it > all[i - 1]; });
function s(ms) { return (Math.floor((ms + 50) / 100) / 10).toFixed(1); }
function state(lane) {
  for (var i = 0; i < lane.parts.length; i++) {
    var part = lane.parts[i], gone = at - part[1], bout = lane.bouts[part[3]] || {};
    if (at >= part[2]) continue;
    if (part[0] === 'course') return 'Leg ' + (part[3] + 1);
    if (part[0] === 'think') return bout.name + ': thinking ' + s(gone) + ' s';
    if (part[0] === 'shoot') return bout.name + ': target ' + Math.min(5, 1 + Math.floor(gone * 5 / (part[2] - part[1]))) + ' of 5';
    return bout.name + ': loop ' + Math.min(bout.loops, 1 + Math.floor(gone * bout.loops / (part[2] - part[1]))) + ' of ' + bout.loops;
  }
  return lane.finish === null ? 'Stopped' : '';
}
function passed(lane) { var n = 0; while (n < lane.splits.length && lane.splits[n] <= at) n++; return n; }
function gap(lane, fin, below) {
  var n = passed(lane), first = null;
  if (lane.finish !== null && at >= lane.finish) { fin.textContent = s(lane.finish) + ' s'; } else { fin.textContent = n ? '' : '\u00a0'; }
  if (!n) { below.textContent = ''; return; }
  data.lanes.forEach(function (other) { if (other.splits.length >= n && other.splits[n - 1] <= at && (first === null || other.splits[n - 1] < first)) first = other.splits[n - 1]; });
  var behind = lane.splits[n - 1] - first, words = behind > 0 ? '+' + s(behind) : 'leader';
  if (lane.finish !== null && at >= lane.finish) { below.textContent = words; } else { fin.textContent = words; below.textContent = 'after ' + lane.bouts[n - 1].name; }
}
function draw() {
  var over = at >= data.end, share = Math.min(at, data.span) / data.span * 100;
  scrub.value = over ? scrub.max : at;
  scrub.setAttribute('aria-valuetext', s(at) + ' seconds');
  clock.textContent = s(at) + ' s';
  play.textContent = playing ? 'Pause' : over ? 'Replay' : 'Play';
  data.lanes.forEach(function (lane, i) {
    var box = get('lane' + i), clip = box.querySelector('clipPath rect'), head = box.querySelector('.head');
    clip.setAttribute('width', over ? '200%' : (50 + share) + '%');
    head.setAttribute('x1', share + '%');
    head.setAttribute('x2', share + '%');
    head.setAttribute('visibility', over ? 'hidden' : 'visible');
    box.querySelectorAll('[data-t]').forEach(function (it) { it.setAttribute('visibility', over || +it.dataset.t <= at ? 'inherit' : 'hidden'); });
    box.querySelector('.state').textContent = over ? '' : state(lane);
    if (over) { box.querySelector('.lfin b').textContent = lane.shown; box.querySelector('.lfin span').textContent = lane.below; } else { gap(lane, box.querySelector('.lfin b'), box.querySelector('.lfin span')); }
  });
}
function seek(to) { at = Math.max(0, Math.min(data.end, to)); draw(); }
function next(way) {
  var to = way > 0 ? data.end : 0;
  moments.forEach(function (it) { if (way > 0 && it > at && it < to) to = it; if (way < 0 && it < at && it > to) to = it; });
  return to;
}
function stop() { playing = false; draw(); }
function frame(now) {
  if (!playing) return;
  if (still.matches) { seek(next(1)); if (at < data.end) setTimeout(function () { requestAnimationFrame(frame); }, 700); else stop(); return; }
  if (last) seek(at + (now - last) * speed);
  last = now;
  if (at >= data.end) stop(); else requestAnimationFrame(frame);
}
play.onclick = function () {
  playing = !playing;
  if (playing && at >= data.end) at = 0;
  last = 0;
  draw();
  if (playing) requestAnimationFrame(frame);
};
get('prev').onclick = function () { playing = false; seek(next(-1)); };
get('next').onclick = function () { playing = false; seek(next(1)); };
get('speed').onchange = function () { speed = +this.value; };
scrub.oninput = function () { playing = false; seek(+scrub.value); };
function hash() { var t = /^#t=(\d+(?:\.\d+)?)$/.exec(location.hash); if (t) { playing = false; seek(t[1] * 1000); } }
addEventListener('hashchange', hash);
hash();
draw();
})();
