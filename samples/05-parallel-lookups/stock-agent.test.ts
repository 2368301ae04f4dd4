import 'reflect-metadata';
import 'toolwright/testing/jest';
import { callTools, createTestRunner, say, scripted } from 'toolwright/testing';
import { Stock, StockAgent } from './stock-agent';

/** A stock that answers only when all who ask at once have asked, as slow ones do. */
function slowStock(pieces: number) {
  let now = pieces;
  let running = 0;
  const seen = { most: 0 };
  const slowly = async <T>(work: () => T): Promise<T> => {
    seen.most = Math.max(seen.most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return work();
  };
  return { seen, count: () => slowly(() => now), set: (_product: string, left: number) => slowly(() => void (now = left)) };
}

describe('StockAgent', () => {
  it('looks several products up side by side, and answers in the order of the calls', async () => {
    const stock = slowStock(5);
    const model = scripted([callTools(['apples', 'pears', 'plums'].map((product) => ['count', { product }])), say('Five each.')]);
    const runner = createTestRunner({ model, overrides: [{ provide: Stock, useValue: stock }] });
    const result = await runner.run(StockAgent, 'What is there?');
    expect(stock.seen.most).toBe(3);
    expect(result).toHaveCalledTools(['apples', 'pears', 'plums'].map((product) => ['count', { product }]));
    expect(result).toHaveValidTranscript();
  });

  it('loses no piece when two calls take from one product', async () => {
    const stock = slowStock(10);
    const take = ['take', { product: 'apples', pieces: 3 }] as const;
    const again = ['take', { product: 'apples', pieces: 4 }] as const;
    const runner = createTestRunner({
      model: scripted([callTools([take, again]), say('Three are left.')]),
      overrides: [{ provide: Stock, useValue: stock }],
    });
    await runner.run(StockAgent, 'Take three, then four apples.');
    expect(await stock.count()).toBe(3);
  });
});
