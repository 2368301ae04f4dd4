import { AgentRunner, RunError, type Model } from 'toolwright';
import { AskFilesAgent } from './ask-files-agent';
import { modelFrom, readCommand, USAGE } from './command-line';
import { Printer, type Write } from './printer';

export interface DemoSurroundings {
  readonly environment: { readonly [name: string]: string | undefined };
  readonly write: Write;
  readonly signal?: AbortSignal;
  /** Instead of the model that the environment asks for. */
  readonly model?: Model;
}

/** Asks the files of a directory; gives the exit code: 0 only for a completed run, 2 for a wrong command line. */
export async function demo(args: readonly string[], { environment, write, signal, model }: DemoSurroundings): Promise<number> {
  const command = readCommand(args);
  if (command.kind !== 'ask') {
    write(command.kind === 'help' ? `${USAGE}\n` : `${command.why}\n\n${USAGE}\n`);
    return command.kind === 'help' ? 0 : 2;
  }
  const chosen = model ?? modelFrom(environment);
  const name = typeof chosen === 'string' ? chosen : chosen.name;
  const printer = new Printer(write);
  printer.line(
    name === 'offline:' ? 'Model: offline: (embedded, matches words only; set OPENAI_API_KEY for a real one)' : `Model: ${name}`,
  );
  const runner = new AgentRunner();
  try {
    const run = runner.stream(AskFilesAgent, command.question, {
      deps: { root: command.root },
      model: chosen,
      ...(signal === undefined ? {} : { signal }),
    });
    for await (const event of run) printer.show(event);
    const { stopReason, usage } = await run.result;
    const tokens = `${usage.inputTokens} tokens in, ${usage.outputTokens} out`;
    printer.line(`\nUsage: ${counted(usage.requests, 'request')}, ${counted(usage.toolCalls, 'call')}, ${tokens}`);
    if (stopReason === 'completed') return 0;
    printer.line(`The run ended early: ${stopReason}.`);
  } catch (error) {
    printer.line(`\n${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`);
    if (RunError.is(error) && error.advice !== undefined) printer.line(error.advice);
  } finally {
    await runner.close();
  }
  return 1;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
