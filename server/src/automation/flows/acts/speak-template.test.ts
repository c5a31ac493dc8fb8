import { templatesApi } from '@recado/contract/cloud'
import { FlowStep } from '@recado/contract/flows/flow-steps'
import type { ActStep } from '@recado/contract/flows/walk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CloudDesk, openCloudDesk } from '../../../../test/cloud-phone.ts'
import { closeTestServers } from '../../../../test/test-server.ts'
import { lockTicket } from '../../../desk/tickets/base/ticket-view.ts'
import { hours } from '../../../kernel/clock.ts'
import { Scope } from '../../../kernel/data/scope.ts'
import { performAct } from './perform-act.ts'

const orderTemplate = {
  ...{ id: '1', name: 'pedido', language: 'es', status: 'APPROVED', category: 'UTILITY' },
  parameter_format: 'POSITIONAL',
  components: [
    { type: 'BODY', text: 'Hola {{1}}, tu pedido {{2}}.', example: { body_text: [['Ana', 'salió']] } },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Gracias' }] },
  ],
}
const template = {
  ...{ name: 'pedido', language: 'es' },
  variables: { 'body.1': '{{name}}', 'body.2': '{{state}}' },
}

let desk: CloudDesk
let ticketId: number
beforeAll(async () => {
  desk = await openCloudDesk()
  desk.graph.templates.push(orderTemplate)
  await desk.admin.call(templatesApi.list, { query: { whatsappId: desk.line.id, refresh: true } as never })
})
afterAll(async () => {
  await closeTestServers()
  await desk.graph.close()
})
beforeEach(async () => {
  ticketId = (await desk.startConversation()).ticketId
})

async function perform(step: Record<string, unknown>, afterMs = 0): Promise<string> {
  const { contactId } = await desk.show(ticketId)
  const { clock, server } = desk.server
  clock.advance(afterMs)
  const scope = new Scope(server.deps, { companyId: desk.company.id })
  try {
    const outcome = await scope.transaction(async (tx) => {
      await lockTicket(tx, ticketId)
      return performAct(tx, {
        ...{ runId: 1, ticketId, contactId, flowName: 'Aviso', isReply: true },
        step: FlowStep.parse({ id: 'step', ...step }) as ActStep,
        variables: { state: 'salió\n  hoy' },
        texts: { words: { name: 'Sol' }, moment: { now: tx.now(), zone: 'America/Bogota', language: 'es' } },
      })
    })
    return outcome.kind
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    clock.advance(-afterMs)
  }
}
/** The last message as Meta gets it. */
async function lastSent() {
  const { wid } = await desk.db
    .selectFrom('messages')
    .select('wid')
    .where('ticketId', '=', ticketId)
    .where('fromMe', '=', true)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return (await desk.waitForSend(wid)).body
}
const afterWindow = hours(25)

describe('a message of a flow on an official line', () => {
  it('is a template after the 24-hour window, with its values in one line', async () => {
    expect(await perform({ kind: 'say', text: 'Hola', template }, afterWindow)).toBe('done')
    expect(await lastSent()).toMatchObject({
      type: 'template',
      template: {
        ...{ name: 'pedido', language: { code: 'es' } },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Sol' },
              { type: 'text', text: 'salió hoy' },
            ],
          },
        ],
      },
    })
  })

  it('is its own text within the window, or the template if it has no text', async () => {
    await perform({ kind: 'say', text: 'Hola {{name}}', template })
    expect(await lastSent()).toMatchObject({ type: 'text', text: { body: 'Hola Sol' } })
    await perform({ kind: 'say', template })
    expect(await lastSent()).toMatchObject({ type: 'template' })
  })

  it('is refused after the window without a template that the line has', async () => {
    expect(await perform({ kind: 'say', text: 'Hola' }, afterWindow)).toBe('ERR_WINDOW_CLOSED')
    expect(await perform({ kind: 'ask', text: '¿Sí?', answer: { kind: 'text' } }, afterWindow)).toBe(
      'ERR_WINDOW_CLOSED',
    )
    const missing = { ...template, name: 'otro' }
    expect(await perform({ kind: 'say', template: missing }, afterWindow)).toBe('ERR_NO_TEMPLATE_FOUND')
    const incomplete = { ...template, variables: { 'body.1': '{{name}}' } }
    expect(await perform({ kind: 'say', template: incomplete }, afterWindow)).toBe('ERR_VALIDATION')
  })

  it('has real buttons, or a list with descriptions', async () => {
    await perform({ kind: 'say', text: '¿Te sirve?', buttons: [{ id: 'yes', title: 'Sí' }] })
    expect(await lastSent()).toMatchObject({
      interactive: { type: 'button', action: { buttons: [{ reply: { id: 'yes', title: 'Sí' } }] } },
    })
    const rows = [
      { id: 'a', title: 'Centro', description: 'De 9 a 18' },
      { id: 'b', title: 'Norte' },
    ]
    await perform({ kind: 'say', text: '¿Cuál?', list: { button: 'Ver sedes', rows } })
    const sections = [
      {
        rows: [
          { id: 'a', title: 'Centro', description: 'De 9 a 18' },
          { id: 'b', title: 'Norte' },
        ],
      },
    ]
    expect(await lastSent()).toMatchObject({
      interactive: { type: 'list', body: { text: '¿Cuál?' }, action: { button: 'Ver sedes', sections } },
    })
  })
})
