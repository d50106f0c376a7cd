# program.sh: runs one tests/diff/programs/*.test; `bash program.sh TEST [COTTER OPTIONS --]`.
# In a test, `run PROGRAM ARGS` runs a program (under Cotter, when so asked), `runf` the same with its children too,
# and `says STATUS` prints a status so that a death by signal shows.
test_file=$1
shift
cotter=("$@")
set -o pipefail
export LC_ALL=C.UTF-8

# exec finds the program on disk: `run echo` is not the shell's own echo. argv[0] is as the test wrote it.
run() { (exec "${cotter[@]}" "$@"); }

runf() {
    [ ${#cotter[@]} -eq 0 ] || set -- "${cotter[0]}" -f "${cotter[@]:1}" "$@"
    (exec "$@")
}

says() { echo "status $1"; }

. "$test_file"
