import 'reflect-metadata';
import { Agent, AgentRunner, ToolResult, Tool, type Part } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';

const image = (name: string): Part => ({ type: 'image', url: `data:image/png;base64,${name.repeat(1_000)}` });
const shot = image('shot');

class Looks extends Agent {
  @Tool({ description: 'Takes a picture.', annotations: { readOnly: true } })
  look() {
    return ToolResult.content([shot]);
  }
}

test('P02: an image is held once, however many requests show it', async () => {
  const given = image('given');
  const model = scripted([callTool('look'), callTool('look'), say('Done.')]);
  const result = await new AgentRunner({ model }).run(Looks, [{ type: 'text', text: 'Look.' }, given]);
  const images = (messages: readonly object[]) =>
    messages.flatMap((message) => ('parts' in message ? (message.parts as Part[]) : [])).filter(({ type }) => type === 'image');
  const shown = [...model.requests.flatMap(({ messages }) => images(messages)), ...images(result.messages)];
  expect(shown).toHaveLength(1 + 2 + 3 + 3);
  expect(new Set(shown.map((part) => (part as { url: string }).url)).size).toBe(2);
  expect(new Set(shown).size).toBeLessThanOrEqual(3);
});
