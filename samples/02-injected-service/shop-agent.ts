import { Service } from 'typedi';
import { Agent, AgentConfig, Param, Tool, ToolContext, ToolFailure } from 'toolwright';

export interface Order {
  readonly id: string;
  readonly customer: string;
  readonly state: 'packed' | 'shipped' | 'delivered';
}

/** A service as any other class would use it: it knows nothing of agents. */
@Service()
export class Orders {
  private readonly orders: readonly Order[] = [
    { id: 'A-17', customer: 'ada', state: 'shipped' },
    { id: 'B-4', customer: 'bo', state: 'packed' },
  ];

  byId(id: string): Promise<Order | undefined> {
    return Promise.resolve(this.orders.find((order) => order.id === id));
  }
}

/** What belongs to one run travels with it; services live as long as the container says. */
export interface ShopDeps {
  readonly customer: string;
}

@AgentConfig({ instructions: 'You help customers of a shop with their orders.' })
export class ShopAgent extends Agent<string, ShopDeps> {
  constructor(private readonly orders: Orders) {
    super();
  }

  @Tool({ description: 'The state of an order of the customer.', annotations: { readOnly: true } })
  async orderState(@Param('order_id', 'Number of the order, such as "A-17"') id: string, context: ToolContext<ShopDeps>) {
    const order = await this.orders.byId(id);
    // The model decides what to ask for, never whose data it sees.
    if (order?.customer !== context.deps.customer) throw new ToolFailure(`You have no order ${id}.`);
    return { id, state: order.state };
  }
}
