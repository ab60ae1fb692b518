#!/bin/sh
# An adapter for a harness in shell: it speaks the process protocol of harness-props, version 1.
#
#     harness-props smoke 'process:sh adapter.sh' --validate
#
# It brings a small loop of its own, so that it runs as it stands. Put your harness in the place of `run`: have it
# use `model` where it calls its model, and `tool` where it runs a tool. Change nothing else on the way: the
# adapter translates and never repairs. POSIX sh and jq 1.6 or later; conversations are JSON texts in variables.

HELLO='{"protocol": 1, "name": "my-agent", "version": "0.1", "capabilities": ["loop", "record", "max-turns", "error-reply"],
        "plays": ["cancel"]}'

number=0 # of the last callback
send() { printf '%s\n' "$1"; }
field() { printf '%s' "$1" | jq -cr "$2"; }

# -- the harness: put yours here ------------------------------------------------------------------

# One prompt on the record: call the model, run the tools that it asks for, until it answers.
run() { # prompt, limit or null
  close_open_calls
  append "$(printf '%s' "$1" | jq -c '{role: "user", content: .}')"
  turns=0
  while :; do
    if [ "$2" != null ] && [ "$turns" -ge "$2" ]; then
      reply=$(jq -cn --arg said "stopped after max_turns=$2" \
        '{role: "assistant", content: [], stop_reason: "error", error_message: $said}')
      append "$reply"
      return 0
    fi
    turns=$((turns + 1))
    model || return 1
    append "$reply"
    [ "$(field "$reply" .stop_reason)" = error ] && return 0
    calls=$(field "$reply" '[.content[] | select(.type == "toolCall")]')
    [ "$calls" = '[]' ] && return 0
    while [ "$calls" != '[]' ]; do
      call=$(field "$calls" '.[0]')
      calls=$(field "$calls" '.[1:]')
      result_of "$call" || return 1
      append "$result"
    done
  done
}

append() { record=$(printf '%s\n%s' "$record" "$1" | jq -cs '.[0] + [.[1]]'); }

# What is sent: the record, failed replies without their calls, and no reply that is empty.
request() {
  printf '%s' "$record" | jq -c 'map(if .stop_reason == "error"
    then .content |= map(select(.type != "toolCall")) else . end) | map(select(.content != []))'
}

result_of() { # call
  if printf '%s\n%s' "$1" "$tools" | jq -es '.[0].name as $name | .[1] | any(.name == $name)' > /dev/null; then
    tool "$1" || return 1
    content=$(printf '%s' "$answer" | jq -c 'if .type == "failure"
      then {text: (if .error.text | test("\\S") then .error.text else .error.type end), wrong: true}
      elif (.content | type) == "string" then {text: .content, wrong: false}
      else {text: "the tool returned \(.content | type), not text", wrong: true} end')
  else
    content='{"text": "there is no such tool", "wrong": true}'
  fi
  result=$(printf '%s\n%s' "$1" "$content" | jq -cs '{role: "toolResult", tool_call_id: .[0].id,
    tool_name: .[0].name, content: .[1].text, is_error: .[1].wrong}')
}

# An interrupt may have left calls without a result; no provider takes such a record.
close_open_calls() {
  record=$(printf '%s' "$record" | jq -c '[.[] | .tool_call_id // empty] as $answered
    | ([.[] | select(.role == "assistant" and .stop_reason != "error")] | last // {content: []}) as $last
    | . + [$last.content[] | select(.type == "toolCall") | select(.id as $id | $answered | index([$id]) | not)
           | {role: "toolResult", tool_call_id: .id, tool_name: .name, content: "interrupted", is_error: true}]')
}

# -- the adapter ----------------------------------------------------------------------------------

# One callback: send it and wait for its answer, which is left in $answer. Fails if the run is to end.
ask() { # the callback without its id
  number=$((number + 1))
  send "$(printf '%s' "$1" | jq -c --argjson id "$number" '. + {id: $id}')"
  while IFS= read -r answer; do
    case $(field "$answer" .type) in
      cancel)
        send "$(printf '%s' "$answer" | jq -c '{type: "done", id}')"
        end='{"ending": "stopped"}'
        return 1 ;;
      stop)
        end='{"ending": "stopped"}'
        return 1 ;;
      reply | result | failure)
        [ "$(field "$answer" .id)" = "$number" ] && return 0 ;;
    esac
  done
  exit 0
}

# What the harness uses in place of its model: leaves the reply in $reply. An exception ends the run.
model() {
  ask "$(printf '%s\n%s\n%s\n%s' "$system" "$(request)" "$tools" "$record" | jq -cs \
    '{type: "model", system: .[0], messages: .[1], tools: .[2], record: .[3]}')" || return 1
  if [ "$(field "$answer" .type)" = failure ]; then
    end=$(field "$answer" '{ending: "raised", error: .error}')
    return 1
  fi
  reply=$(field "$answer" .message)
}

# What the harness uses in place of its tools: leaves what came back in $answer.
tool() { # call
  ask "$(printf '%s\n%s' "$1" "$record" | jq -cs \
    '{type: "execute", call_id: .[0].id, name: .[0].name, arguments: .[0].arguments, record: .[1]}')"
}

command -v jq > /dev/null || {
  read -r command
  send '{"type": "error", "id": 1, "message": "jq is not installed, and this adapter needs it"}'
  exit 1
}
while IFS= read -r command; do
  id=$(field "$command" .id)
  case $(field "$command" .type) in
    hello) done=$HELLO ;;
    start)
      system=$(field "$command" '.system | tojson')
      tools=$(field "$command" '.tools | tojson')
      record=$(field "$command" '.history | tojson')
      done='{}' ;;
    prompt)
      if run "$(field "$command" '.text | tojson')" "$(field "$command" .max_turns)"; then
        end=$(printf '%s' "$reply" | jq -c '{ending: "returned", returned: .}')
      fi
      done=$(printf '%s\n%s' "$end" "$record" | jq -cs '.[0] + {record: .[1]}') ;;
    record) done=$(printf '%s' "$record" | jq -c '{messages: .}') ;;
    cancel | goodbye) done='{}' ;;
    *)
      send "$(jq -cn --argjson id "$id" '{type: "error", id: $id, unknown: true, message: "no such command"}')"
      continue ;;
  esac
  send "$(printf '%s' "$done" | jq -c --argjson id "$id" '{type: "done", id: $id} + .')"
  [ "$(field "$command" .type)" = goodbye ] && exit 0
done
