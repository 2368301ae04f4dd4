import { appendFileSync } from 'node:fs';
import { Agent, AgentConfig, Ctx, Param, Preview, Tool, type ToolContext } from 'toolwright';

/** Where the refunds are written down: the outside world of this sample. */
export interface Books {
  readonly path: string;
}

@AgentConfig({ name: 'refund_agent', instructions: 'You refund orders.' })
export class RefundAgent extends Agent<string, Books> {
  @Tool({ description: 'Refunds an order.', requiresApproval: true })
  refundOrder(
    @Param('order', { type: String, description: 'The number of the order, such as A-17' }) order: string,
    @Ctx() context: ToolContext<Books>,
  ): string {
    // The key is the same however often the run is resumed: a real bank would be given it.
    appendFileSync(context.deps.path, `${order} ${context.idempotencyKey}\n`);
    return `The order ${order} is refunded.`;
  }

  @Preview('refundOrder')
  previewRefund(order: string): string {
    return `Refund the whole order ${order}`;
  }
}
