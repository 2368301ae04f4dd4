import 'reflect-metadata';
import 'toolwright/testing/jest';
import { answer, createTestRunner, say, scripted } from 'toolwright/testing';
import { Invoice, InvoiceAgent } from './invoice-agent';

const good = {
  date: '2026-01-31',
  currency: 'NOK',
  lines: [
    { item: 'Coat', price: 900 },
    { item: 'Hat', price: 100 },
  ],
};

describe('InvoiceAgent', () => {
  it('gives an instance of the class, with its methods', async () => {
    const result = await createTestRunner({ model: scripted([answer(good)]) }).run(InvoiceAgent, 'Coat 900, hat 100 kroner');
    if (result.stopReason !== 'completed') throw new Error('It must complete.');
    expect(result.output).toBeInstanceOf(Invoice);
    expect(result.output.total).toBe(1_000);
  });

  it('works the same with a model that knows tools only', async () => {
    const model = scripted([answer(good)], { capabilities: { jsonSchema: false } });
    const result = await createTestRunner({ model }).run(InvoiceAgent, 'Coat 900, hat 100 kroner');
    expect(result.output?.total).toBe(1_000);
  });

  it('sends back what breaks its rules, and takes the corrected answer', async () => {
    const wrong = { ...good, currency: 'SEK', lines: [{ item: 'Coat', price: -1 }] };
    const model = scripted([answer(wrong), answer(good)]);
    const result = await createTestRunner({ model }).run(InvoiceAgent, 'Coat 900, hat 100 kroner');
    expect(result.output?.currency).toBe('NOK');
    const told = JSON.stringify(model.requests[1]?.messages);
    expect(told).toContain('currency');
    expect(told).toContain('price');
  });

  it('rejects when the model never gets it right', async () => {
    const model = scripted([say('no'), say('no'), say('no')]);
    await expect(createTestRunner({ model }).run(InvoiceAgent, '?')).rejects.toMatchObject({ code: 'OUTPUT' });
  });
});
