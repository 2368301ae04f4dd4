import { IsIn, IsNumber, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { Agent, AgentConfig, Field, arrayOf } from 'toolwright';

export class InvoiceLine {
  @Field('What was sold')
  item!: string;

  @Field('Price in the currency of the invoice')
  @IsNumber()
  @Min(0)
  price!: number;
}

export class Invoice {
  @Field({ description: 'Date of the invoice', format: 'date' })
  date!: string;

  @Field('Currency')
  @IsIn(['EUR', 'USD', 'NOK'])
  currency!: string;

  @Field({ type: arrayOf(InvoiceLine), description: 'All lines' })
  @ValidateNested({ each: true })
  @Type(() => InvoiceLine)
  lines!: InvoiceLine[];

  get total(): number {
    return this.lines.reduce((sum, line) => sum + line.price, 0);
  }
}

@AgentConfig({ instructions: 'You read invoices.', output: Invoice })
export class InvoiceAgent extends Agent<Invoice> {}
