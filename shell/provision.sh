# Completes a new worktree and becomes the session's program. Runs in the session's own terminal and box, so that everything is seen
# and kept, and a daemon that dies interrupts nothing. A step that fails ends the session with its exit code. The mark at the end
# tells duetty that all is done; what comes after it is the program's.
#
# sh provision.sh SECRET CHECKOUT COPIES SETUP PROGRAM [ARG …]      Steps are lines for sh; an empty one is none.
secret=$1 checkout=$2 copies=$3 setup=$4
shift 4

step() {
  [ -n "$2" ] || return 0
  printf '\033[2m%s\033[m\n' "$1"
  sh -c "$2" && return 0
  code=$?
  printf '\033[31mThis failed with exit code %s: %s\033[m\n' "$code" "$1"
  exit "$code"
}

step 'worktree: writing its files' "$checkout"
step 'worktree: copying ignored files that it needs' "$copies"
# The folder that it began in may be another since the files are there.
cd "$PWD" || exit 1
step "worktree: $setup" "$setup"
printf '\033]7133;provisioned;%s\007' "$secret"
exec "$@"
