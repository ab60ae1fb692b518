// A model that has nothing to say gives an empty reply. The SDK forgets it and sends the same request again, until
// the turn limit; without one it never ends.
import { Agent, Runner, Usage } from "@openai/agents";

let asked = 0;
const model = {
  async getResponse() {
    asked += 1;
    return { output: [], usage: new Usage() };
  },
};
const agent = new Agent({ name: "a", instructions: "", model });
try {
  await new Runner({ tracingDisabled: true }).run(agent, "Go.", { maxTurns: 25 });
} catch (error) {
  console.log(error.name);
}
console.log(`after one prompt the model was asked ${asked} times`);
process.exitCode = asked === 1 ? 0 : 1;
