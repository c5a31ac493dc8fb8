/**
 * The service as a process of its own, for benches: it does not share a core's time with what is measured. Started with
 * `fork`; it says `{ url, credentials }` when it is ready and answers the commands below, each under its number.
 */
import './quiet.ts'
import type { Person } from './person.ts'
import { WhatsApp } from './service.ts'

export type Command =
  | { do: 'person'; phone: string; name: string }
  | { do: 'scan'; phone: string; qr: string }
  /** So many customers, the same each time, write so many texts each, encrypted beforehand and delivered at once. */
  | { do: 'burst'; phone: string; customers: number; each: number; text: string }
  | { do: 'received'; phone: string }
export type Ready = { url: string; credentials: WhatsApp['credentials'] }
export type Answer = { number: number; result?: unknown; error?: string }

const wa = await WhatsApp.start()
const received = new Map<Person, number>()
const crowds = new Map<string, Person[]>()
let met = 0

function person(phone: string): Person {
  const found = [...received.keys()].find(({ account }) => account.phoneNumber === phone)
  if (!found) throw new Error(`nobody has the number ${phone}`)
  return found
}

function create(phone: string, name: string): Person {
  const made = wa.person(phone, name)
  made.account.businessName = name
  received.set(made, 0)
  made.on('message', () => received.set(made, (received.get(made) ?? 0) + 1))
  return made
}

async function burst({ phone, customers, each, text }: Extract<Command, { do: 'burst' }>): Promise<number> {
  const { account } = person(phone)
  const devices = [...account.linked.values()]
  const crowd = crowds.get(phone) ?? []
  crowds.set(phone, crowd)
  while (crowd.length < customers) crowd.push(create(`1999${String(met++).padStart(8, '0')}`, 'Customer'))
  const people = crowd.slice(0, customers)
  const ready = []
  for (let round = 1; round <= each; round++)
    for (const one of people)
      for (const device of devices)
        ready.push({ device, stanza: await one.prepare(device, { conversation: `${text} ${round}` }) })
  for (const { device, stanza } of ready) device.deliver(stanza)
  return ready.length
}

async function obey(command: Command): Promise<unknown> {
  switch (command.do) {
    case 'person':
      return create(command.phone, command.name).account.jid('lid')
    case 'scan':
      return (await person(command.phone).scan(command.qr)).id
    case 'burst':
      return burst(command)
    case 'received':
      return received.get(person(command.phone))
  }
}

process.on('message', ({ number, command }: { number: number; command: Command }) => {
  obey(command).then(
    (result) => process.send?.({ number, result } satisfies Answer),
    (error: Error) => process.send?.({ number, error: error.message } satisfies Answer),
  )
})
process.on('disconnect', () => process.exit())
process.send?.({ url: wa.url, credentials: wa.credentials } satisfies Ready)
