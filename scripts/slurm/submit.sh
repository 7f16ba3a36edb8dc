#!/usr/bin/env bash
# Runs the shards of a count or of an experiment on Slurm, and puts their results together.
#
#   scripts/slurm/submit.sh [OPTION]... count N K DIR [-- SBATCH-OPTION...]      queenlab count N --shard I/K --out DIR
#   scripts/slurm/submit.sh [OPTION]... sweep FILE K DIR [-- SBATCH-OPTION...]   queenlab sweep FILE --shard I/K --out DIR/I
#
#   --queenlab CMD   the queenlab program [queenlab]; it must have the same path on this machine and on the nodes
#   --most M         maximum number of shards submitted at a time [5000]; Slurm's default MaxJobCount is 10,000
#   --tries T        give up after T rounds that finish no shard [2]
#   --state D        directory for the files of this script and its jobs [DIR.slurm]
#   --wait           poll until everything is done, and print the total of a count or the report of a sweep
#   --poll S         seconds between two polls [10]
#
# Submits the shards that are missing as array jobs, each below Slurm's MaxArraySize. A last job runs after them: it calls
# "queenlab count N --merge DIR" or "queenlab report DIR/* --out DIR.report", or submits the shards that are still missing. A task that fails
# requeues itself up to 3 times. To continue after an interruption, run the script again. Options after -- are passed to
# sbatch for every task: -p long --cpus-per-task=8.
set -euo pipefail

usage() { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$self" >&2; exit 2; }
say() { printf 'submit.sh: %s\n' "$*" >&2; }

# The same file is the job script of tasks and of the last job. Slurm runs a copy of it, so the path of the original is
# passed as an argument.
submit_round() {
    local round=$1 chunk list ids=() before
    mkdir -p "$state"
    list=$state/round-$round
    before=$(missing | wc -l)
    if [ "$before" = 0 ]; then
        finish_up
        return
    fi
    missing | sed -n "1,${most}p" >"$list"
    chunk=$(scontrol show config | awk '$1 == "MaxArraySize" { print $3 - 1 }')
    rm -f "$list".part-*
    split -l "${chunk:-1000}" -a 4 "$list" "$list.part-"
    local part
    for part in "$list".part-*; do
        ids+=("$(sbatch --parsable --requeue --open-mode=append --job-name=queenlab-shard \
            --output="$state/%A_%a.out" --array="0-$(($(wc -l <"$part") - 1))" "${options[@]}" \
            "$self" __task "${job[@]}" "$part")")
    done
    local after
    after=$(IFS=:; echo "${ids[*]%%;*}")
    sbatch --parsable --requeue --open-mode=append --job-name=queenlab-merge \
        --output="$state/merge-%j.out" --dependency="afterany:$after" "${options[@]}" \
        "$self" __last "${job[@]}" "$most" "$tries" "$round" "$before" "$self" "${options[@]}" \
        >"$state/last-job"
    say "round $round: $(wc -l <"$list") of $before missing shards in ${#ids[@]} array jobs"
}

# The numbers of the shards that have no result: of a count, no complete file; of a sweep, no mark of a task that ended.
missing() {
    local finished
    case $kind in
        count) finished=$(find "$out" -name "n$what-shard-*-of-$k.count" -exec grep -lx 'check=[0-9a-f]\{16\}' {} + 2>/dev/null |
            sed 's/.*shard-\([0-9]*\)-of.*/\1/') || true ;;
        sweep) finished=$(ls "$state/done" 2>/dev/null) || true ;;
    esac
    comm -23 <(seq "$k" | sort) <(sort <<<"$finished") | sort -n
}

finish_up() {
    local status=0
    case $kind in
        count) "$queenlab" count "$what" --merge "$out" >"$state/total.part" || status=$? ;;
        sweep) "$queenlab" report "$out"/* --out "${out%/}.report" >"$state/total.part" || status=$? ;;
    esac
    if [ "$status" = 0 ]; then mv "$state/total.part" "$state/total"; fi
    echo "$status" >"$state/ended"
    return "$status"
}

# Runs one shard. Retrying does not help after bad input (2), a wrong answer (3) or a refused resume (6).
task() {
    local index status=0
    index=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" "$1")
    case $kind in
        count) "$queenlab" count "$what" --shard "$index/$k" --out "$out" --threads "${SLURM_CPUS_PER_TASK:-1}" || status=$? ;;
        sweep)
            "$queenlab" sweep "$what" --shard "$index/$k" --out "$out/$index" || status=$?
            # The rows of a wrong answer are a result.
            case $status in
                0 | 3) mkdir -p "$state/done" && touch "$state/done/$index" ;;
            esac
            ;;
    esac
    case $status in
        0 | 2 | 3 | 6) exit "$status" ;;
    esac
    say "shard $index: exit code $status, after ${SLURM_RESTART_COUNT:-0} restarts"
    if [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
        # Requeue by array and task, because the job id of one of the tasks is also the id of the whole array. Slurm
        # ends this script itself when it requeues the task.
        scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" && sleep 60
    fi
    exit "$status"
}

# Runs after all tasks of a round: merges the results, or submits another round. Each round that finishes no shard uses up one try.
last() {
    local round=$1 before=$2 still_missing
    still_missing=$(missing | wc -l)
    if [ "$still_missing" -gt 0 ] && [ "$still_missing" -ge "$before" ]; then
        tries=$((tries - 1))
        if [ "$tries" -le 0 ]; then
            say "giving up: no shard was finished; missing: $(missing | paste -sd,)"
            echo 1 >"$state/ended"
            exit 1
        fi
    fi
    submit_round "$((round + 1))"
}

# Polls for the files that the last job writes.
wait_for_end() {
    local polls_without_job=0
    until [ -e "$state/ended" ]; do
        sleep "$poll"
        # For a moment between two rounds there is no job.
        if [ -n "$(squeue --noheader --jobs "$(cut -d';' -f1 "$state/last-job")" 2>/dev/null)" ]; then
            polls_without_job=0
        elif [ "$((polls_without_job += 1))" -ge 5 ]; then
            say "the last job ended without a result; see the logs in $state"
            exit 1
        fi
    done
    local status
    status=$(cat "$state/ended")
    if [ "$status" = 0 ]; then
        cat "$state/total"
    else
        tail -n 3 "$state"/merge-*.out >&2 || true
    fi
    exit "$status"
}

self=$(realpath "$0")
case "${1:-}" in
    __task | __last)
        job=("${@:2:6}") queenlab=$2 kind=$3 what=$4 k=$5 out=$6 state=$7
        if [ "$1" = __task ]; then task "$8"; fi
        most=$8 tries=$9 self=${12}
        options=("${@:13}")
        last "${10}" "${11}"
        exit
        ;;
esac

queenlab=queenlab most=5000 tries=2 wait=no poll=10 state='' paths=() options=()
while [ $# -gt 0 ]; do
    case "$1" in
        --queenlab) queenlab=${2:?} && shift ;;
        --most) most=${2:?} && shift ;;
        --tries) tries=${2:?} && shift ;;
        --poll) poll=${2:?} && shift ;;
        --state) state=${2:?} && shift ;;
        --wait) wait=yes ;;
        --) shift && options=("$@") && break ;;
        -*) usage ;;
        *) paths+=("$1") ;;
    esac
    shift
done
[ ${#paths[@]} = 4 ] || usage
kind=${paths[0]} what=${paths[1]} k=${paths[2]} out=$(realpath -m "${paths[3]}")
case $kind in
    count) ;;
    sweep) what=$(realpath "$what") ;;
    *) usage ;;
esac
state=$(realpath -m "${state:-$out.slurm}")
queenlab=$(realpath "$(command -v "$queenlab")")
job=("$queenlab" "$kind" "$what" "$k" "$out" "$state")
mkdir -p "$state" "$out"
rm -f "$state/ended" "$state/total"
submit_round 1
if [ -e "$state/ended" ]; then cat "$state/total"; elif [ "$wait" = yes ]; then wait_for_end; fi
