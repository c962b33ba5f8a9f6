#!/bin/bash
# no() { :; }
LIMIT=10 #= variable LIMIT
export PATH_TO=/x NAME #= variable PATH_TO
readonly FIXED=1 #= constant FIXED
declare -A table
declare -r both=1 #= variable both
helper() { #= function helper()
    local inside=1
    inner() { :; }
    global_inside=1
}
function with_keyword { #= function with_keyword()
    :
}
function with_both() { #= function with_both()
    :
}
sub() ( #= function sub()
    :
)
if [ -n "$X" ]; then
    conditional() { :; } #= function conditional()
fi
case $x in
a) in_case() { :; } ;; #= function in_case()
esac
cat <<EOT
no() { :; }
EOT
cat <<-'END'
	no() { :; }
	END
echo "
no() { :; }
"
with-dash() { :; } #= function with-dash()
ns::name() { :; } #= function ns::name()
array=(1 2) #= variable array
array[1]=3
alias ll='ls'
