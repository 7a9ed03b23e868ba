// A race folder whose model, lane and server say what would harm a careless page: a kept race with its texts changed, its chains,
// hashes and result written anew, so that the site believes it. Run by check.mjs.

import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const ATTACKS = [
  '</script><script>window.pwned=1</script>',
  '<img src=x onerror="window.pwned=2">',
  '"><svg onload=window.pwned=3>',
  "javascript:window.pwned=4",
  '</pre></style><iframe src="https://example.com/"></iframe>',
  '\u202e\u0007\u001b[2Jturned',
  '<!--<script>',
  '&lt;b&gt; {{7*7}} ${window.pwned=5}',
];

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

// Writes the lines of a chained file with `change` applied to each, and gives back its hash.
function chained(path, out, change) {
  let prev = '';
  let text = '';
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const value = JSON.parse(line);
    change(value);
    value.prev = prev;
    const written = JSON.stringify(value);
    prev = sha256(written);
    text += written + '\n';
  }
  writeFileSync(out, text);
  return sha256(text);
}

// Makes the folder; gives back the id of its race.
export function hostileRace(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
  const attack = ATTACKS.join(' ');
  const lane = readFileSync(join(from, 'lane.toml'), 'utf8')
    .replace(/^title = .*$/m, `title = ${JSON.stringify(ATTACKS[1] + ATTACKS[0])}`)
    .replace(/^hardware = .*$/m, `hardware = ${JSON.stringify(ATTACKS[2])}`)
    .replace(/^start = .*$/m, `start = ${JSON.stringify(ATTACKS[4])}`);
  writeFileSync(join(to, 'lane.toml'), lane);
  const laneSha = sha256(lane);
  let deltas = 0;
  const ioSha = chained(join(from, 'io.jsonl'), join(to, 'io.jsonl'), ({ input }) => {
    if (input.type === 'start') input.start.lane_sha256 = laneSha;
    if (input.type === 'request') for (const message of input.body.messages ?? []) message.content += attack;
    if (input.type === 'chunk' && input.chunk.type === 'delta') input.chunk.text += ATTACKS[deltas++ % ATTACKS.length];
  });
  const logSha = chained(join(from, 'log.jsonl'), join(to, 'log.jsonl'), ({ event }) => {
    if (event.type === 'start') Object.assign(event, { lane_sha256: laneSha, engine: attack });
    if (event.type === 'start') event.lane.model = ATTACKS[0];
    if (event.type === 'shot') Object.assign(event, { read: attack, rule: ATTACKS[0], detail: ATTACKS[1] });
    if (event.type === 'answer') event.finish_reason = ATTACKS[0];
  });
  const result = JSON.parse(readFileSync(join(from, 'result.json'), 'utf8'));
  Object.assign(result, { lane_sha256: laneSha, io_sha256: ioSha, log_sha256: logSha });
  result.lane.model = ATTACKS[0];
  writeFileSync(join(to, 'result.json'), JSON.stringify(result, null, 2) + '\n');
  return result.race;
}
