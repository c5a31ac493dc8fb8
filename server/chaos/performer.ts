import { setTimeout as pause } from 'node:timers/promises'
import type { AgentClient, CallOutcome } from './agent-client.ts'
import type { AgentScreen } from './agent-screen.ts'
import { type ChaosEnvironment, retryUntilDone } from './environment.ts'
import type { FakeVendor } from './fake-vendor.ts'
import { type ChaosFlows, endFlowPauses, surveyWord } from './flows.ts'
import type { RequestedAction } from './judge.ts'
import type { LinkedCustomers } from './linked-customers.ts'
import { type ChaosAction, type InjectedFault, isInjectedFault, isLinkedCustomer, type PlanStep } from './plan.ts'
import type { StaffedQueue } from './routed-desk.ts'

export type ChaosCompany = {
  companyId: number
  whatsappId: number
  queueIds: number[]
  flows: ChaosFlows
  /** Queues that give their tickets to people, who work only there. */
  routedQueues: StaffedQueue[]
  admin: AgentClient
  screens: AgentScreen[]
  userIds: number[]
  vendor: FakeVendor
  /** The linked line, beside the official one. */
  linkedId: number
  linked: LinkedCustomers
}
/** What the simulated users remember: their requested actions, and the last state of each ticket. */
export type PerformerMemory = {
  requests: RequestedAction[]
  ticketStates: Map<number, string[]>
  /** Every action on a ticket, for the report of a fault. */
  ticketActions: { ticketId: number; text: string }[]
  sequence: number
}

/** How long checking a list may take, with jobs of killed processes on a loaded machine. */
const listCheckTimeoutMs = 200_000
/** How long a process may take to execute a request after its client has given up. */
const lateEffectMs = 30_000

export const phoneNumberOf = (customer: number) => `55119${String(70_000_000 + customer)}`
/** The smallest possible image. */
const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Executes the steps of a plan on time; `rest` resolves when all actions they began are finished. */
export function makePerformer(environment: ChaosEnvironment, company: ChaosCompany, seed: number) {
  const { vendor, linked, screens, admin } = company
  const memory: PerformerMemory = { requests: [], ticketStates: new Map(), ticketActions: [], sequence: 0 }
  const running = new Map<Promise<void>, string>()
  /** Each agent does one action at a time, and no agent uses a ticket that another agent is working on. */
  const turns = screens.map(() => Promise.resolve())
  const busyTickets = new Set<number>()
  const unanswered: { ticketId: number; state: string; at: number }[] = []
  let faultCount = 0
  const problems: string[] = []
  const next = () => `${seed}-${++memory.sequence}`

  function begin(what: string, work: Promise<void>): void {
    const followed = work
      .catch((error) => void problems.push(`${what}: ${error}`))
      .finally(() => running.delete(followed))
    running.set(followed, what)
  }

  // ---- actions of people

  function performAction(step: ChaosAction): void {
    if (step.do === 'write') for (let n = 0; n < step.texts; n++) sendText(step.customer, `hola ${next()}`)
    else if (step.do === 'choose') sendText(step.customer, String(step.option))
    else if (step.do === 'start-survey') sendText(step.customer, surveyWord)
    else if (step.do === 'end-pauses')
      begin(
        step.do,
        retryUntilDone(async () => void (await endFlowPauses(environment.db, company.companyId, environment.now()))),
      )
    // Customers of the linked line send no files: its files are tested elsewhere.
    else if (step.do === 'send-file' && isLinkedCustomer(step.customer)) sendText(step.customer, `foto ${next()}`)
    else if (step.do === 'send-file') {
      const id = environment.graph.storeFile(onePixelPng, 'image/png')
      const image = { id, mime_type: 'image/png', sha256: '', caption: `foto ${next()}` }
      vendor.send(phoneNumberOf(step.customer), { type: 'image', image })
    } else if (step.do === 'campaign') begin('campaign', campaign(step.people))
    else {
      const turn = turns[step.agent]?.then(() => atDesk(step)).catch((error) => void problems.push(String(error)))
      if (!turn) return
      turns[step.agent] = turn
      begin(`${step.do} of ${step.agent}`, turn)
    }
  }

  function sendText(customer: number, text: string): void {
    const chat = phoneNumberOf(customer)
    if (isLinkedCustomer(customer)) linked.send(chat, text)
    else vendor.send(chat, { type: 'text', text: { body: text } })
  }

  async function atDesk({ do: what, agent, pick }: Extract<ChaosAction, { agent: number }>): Promise<void> {
    const screen = screens[agent] as AgentScreen
    const choice =
      what === 'accept'
        ? screen.tickets('pending')
        : what === 'schedule'
          ? [...screen.tickets('open'), ...screen.tickets('pending')]
          : await screen.mine()
    const ticket = choice[pick % (choice.length || 1)]
    if (!ticket || busyTickets.has(ticket.id)) return
    busyTickets.add(ticket.id)
    try {
      if (what === 'answer' || what === 'answer-file') {
        await screen.open(ticket)
        return await answer(screen, ticket.id, what === 'answer-file')
      }
      if (what === 'schedule') return await schedule(screen, ticket.contactId, ticket.contact.number)
      const me = company.userIds[agent] as number
      const other = company.userIds[(agent + 1) % company.userIds.length] as number
      const queueId = company.queueIds[pick % company.queueIds.length] as number
      const [body, leaves] = {
        accept: [{ status: 'open', userId: me }, `open ${me}`] as const,
        transfer: [{ userId: other, queueId: ticket.queueId }, `open ${other}`] as const,
        return: [{ status: 'pending', userId: null, queueId }, 'pending null'] as const,
        resolve: [{ status: 'closed' }, 'closed'] as const,
      }[what]
      await screen.open(ticket)
      const askedAt = Date.now()
      const outcome = await screen.client.callOnce('PUT', `/tickets/${ticket.id}`, body)
      const text = `${new Date(askedAt).toJSON()} user ${me} ${what} → ${leaves}: ${outcome.result}`
      memory.ticketActions.push({ ticketId: ticket.id, text: `${text} after ${Date.now() - askedAt} ms` })
      remember(ticket.id, leaves, outcome)
    } finally {
      busyTickets.delete(ticket.id)
    }
  }
  /**
   * After a confirmation the new state is certain; without it, the state is the new or the old one. A hanging process
   * may still execute a request after its client gave up and another user has done the next action.
   */
  function remember(ticketId: number, leaves: string, outcome: CallOutcome<unknown>): void {
    const late = unanswered.filter((one) => one.ticketId === ticketId && one.at > Date.now() - lateEffectMs)
    if (outcome.result === 'done') memory.ticketStates.set(ticketId, [leaves, ...late.map((one) => one.state)])
    if (outcome.result === 'unknown') {
      unanswered.push({ ticketId, state: leaves, at: Date.now() })
      const before = memory.ticketStates.get(ticketId)
      if (before) memory.ticketStates.set(ticketId, [...before, leaves])
    }
  }

  async function answer({ client }: AgentScreen, ticketId: number, withFile: boolean): Promise<void> {
    const clientId = `chaos-${next()}`
    const one: RequestedAction = { kind: 'send', wasConfirmed: false, clientId }
    memory.requests.push(one)
    const body = `respuesta ${clientId}`
    const form = new FormData()
    if (withFile) {
      form.append('body', body)
      form.append('clientId', clientId)
      form.append('medias', new File([onePixelPng], 'punto.png', { type: 'image/png' }))
    }
    const outcome = await client.callUntilAnswered(
      'POST',
      `/messages/${ticketId}`,
      withFile ? form : { body, clientId },
    )
    one.wasConfirmed = outcome.result === 'done'
  }

  async function schedule({ client }: AgentScreen, contactId: number, chat: string): Promise<void> {
    const text = `recordatorio ${next()}`
    const one: RequestedAction = { kind: 'schedule', wasConfirmed: false, chat, text }
    memory.requests.push(one)
    const sendAt = new Date(environment.now() + 1500).toISOString()
    const whatsappId = linked.isLinkedChat(chat) ? company.linkedId : company.whatsappId
    const body = { body: text, contactId, sendAt, whatsappId, fileFollows: false }
    const outcome = await client.callOnce('POST', '/schedules', body)
    one.wasConfirmed = outcome.result === 'done'
  }

  /**
   * Creates a record until it is confirmed, each time with a new name. Duplicates do no harm: only the record with a
   * known id is started.
   */
  async function createUntilDone<T>(path: string, body: () => object): Promise<T> {
    for (;;) {
      const outcome = await admin.callOnce<T>('POST', path, body())
      if (outcome.result === 'done') return outcome.body
      if (outcome.result === 'refused') throw new Error(`${path} was refused: ${outcome.status} ${outcome.code}`)
      await pause(200)
    }
  }
  async function campaign(people: number): Promise<void> {
    const list = await createUntilDone<{ id: number }>('/contact-lists', () => ({ name: `Lista ${next()}` }))
    const persons = Array.from({ length: people }, () => {
      const n = memory.sequence + 1
      return { name: `Persona ${next()}`, number: `55118${String(70_000_000 + n)}` }
    })
    for (const person of persons)
      await admin.callUntilAnswered('POST', '/contact-list-items', { ...person, email: '', contactListId: list.id })
    await retryUntilDone(async () => {
      const shown = await admin.callUntilAnswered<{ validCount: number }>('GET', `/contact-lists/${list.id}`)
      if (shown.result !== 'done' || shown.body.validCount < people) throw new Error(`list ${list.id} is not checked`)
    }, listCheckTimeoutMs)
    const template = { name: 'oferta', language: 'es', variables: { 'body.1': '{nome}', 'body.2': 'rosas' } }
    const { whatsappId } = company
    const { id } = await createUntilDone<{ id: number }>('/campaigns', () => ({
      ...{ name: `Oferta ${next()}`, contactListId: list.id, whatsappId, template },
    }))
    const asked = persons.map(
      ({ number, name }): RequestedAction => ({
        kind: 'campaign',
        wasConfirmed: false,
        chat: number,
        text: `${name} rosas`,
      }),
    )
    memory.requests.push(...asked)
    const outcome = await admin.callUntilAnswered('POST', `/campaigns/${id}/start`, {})
    for (const one of asked) one.wasConfirmed = outcome.result === 'done'
  }

  // ---- faults

  async function injectFault(step: InjectedFault): Promise<void> {
    faultCount++
    const process = 'process' in step ? environment.processes[step.process % environment.processes.length] : undefined
    switch (step.do) {
      case 'kill':
        return process?.restart(step.downMs)
      case 'kill-database':
        return retryUntilDone(() => environment.killDatabase(step.whole))
      case 'cut':
      case 'slow':
      case 'silence':
        process?.databaseProxy.setState(step.do === 'silence' ? 'silent' : step.do)
        await pause(step.ms)
        return process?.databaseProxy.setState('up')
      case 'hang':
        process?.signal('SIGSTOP')
        await pause(step.ms)
        return process?.signal('SIGCONT')
      case 'drop-phone':
        return linked.dropConnections()
      case 'clock':
        return environment.setClockOffset(step.ms)
      case 'flap':
        for (let n = 0; n < step.times; n++) {
          environment.graph.troubles.push({ kind: n % 2 ? 'cut' : 'die' })
          environment.graph.otherTroubles.push({ kind: 'cut' })
        }
        return
      case 'double':
      case 'reorder':
        vendor.faults[step.do] = true
        await pause(step.ms)
        vendor.faults[step.do] = false
        return
      case 'full-files':
        environment.setFilesFull(true)
        await pause(step.ms)
        return environment.setFilesFull(false)
      case 'full-database':
        await environment.setDatabaseFull(true)
        await pause(step.ms)
        await environment.setDatabaseFull(false)
    }
  }

  return {
    memory,
    problems,
    faultCount: () => faultCount,
    async run(steps: PlanStep[]): Promise<void> {
      for (const { after, ...step } of steps) {
        await pause(after)
        if (isInjectedFault(step)) begin(step.do, injectFault(step))
        else performAction(step)
      }
    },
    /** Actions that were begun and are not finished. */
    listUnfinished: (): string[] => [...running.values()],
  }
}
