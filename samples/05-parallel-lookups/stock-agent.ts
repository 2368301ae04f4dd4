import { Service } from 'typedi';
import { Agent, AgentConfig, Integer, Param, Tool } from 'toolwright';

@Service()
export class Stock {
  private readonly pieces = new Map([
    ['apples', 10],
    ['pears', 4],
  ]);

  async count(product: string): Promise<number> {
    return this.pieces.get(product) ?? 0;
  }

  async set(product: string, pieces: number): Promise<void> {
    this.pieces.set(product, pieces);
  }
}

@AgentConfig({ instructions: 'You keep the stock of a shop.', parallelToolCalls: true })
export class StockAgent extends Agent {
  constructor(private readonly stock: Stock) {
    super();
  }

  @Tool({ description: 'How many pieces of a product there are.', annotations: { readOnly: true, openWorld: false } })
  async count(@Param('product') product: string) {
    return { product, pieces: await this.stock.count(product) };
  }

  // Reads, then writes: two calls for one product must not overlap; for two products they may.
  @Tool({ description: 'Takes pieces of a product out of stock.', lock: ({ product }: { product: string }) => product })
  async take(@Param('product') product: string, @Param('pieces', { type: Integer, minimum: 1 }) pieces: number) {
    const left = (await this.stock.count(product)) - pieces;
    await this.stock.set(product, left);
    return { product, left };
  }
}
