/**
 * The service as a separate process, for benchmarks: it does not share CPU time with the measured process. It is started
 * with `fork`, sends `{ url, credentials }` when ready and answers the commands below, each under its number.
 */
import './silence-libsignal.ts'
import type { Person } from './person.ts'
import { WhatsApp } from './service.ts'

export type ServiceCommand =
  | { do: 'person'; phone: string; name: string }
  | { do: 'scan'; phone: string; qr: string }
  /** A fixed set of customers sends `each` texts, encrypted beforehand and delivered at once. */
  | { do: 'burst'; phone: string; customers: number; textsEach: number; text: string }
  | { do: 'received'; phone: string }
export type ServiceReady = { url: string; credentials: WhatsApp['credentials'] }
export type ServiceAnswer = { number: number; result?: unknown; error?: string }

const wa = await WhatsApp.start()
const receivedCounts = new Map<Person, number>()
const customersByPhone = new Map<string, Person[]>()
let customerCount = 0

function findPerson(phone: string): Person {
  const found = [...receivedCounts.keys()].find(({ account }) => account.phoneNumber === phone)
  if (!found) throw new Error(`nobody has the number ${phone}`)
  return found
}

function createPerson(phone: string, name: string): Person {
  const person = wa.addPerson(phone, name)
  person.account.businessName = name
  receivedCounts.set(person, 0)
  person.on('message', () => receivedCounts.set(person, (receivedCounts.get(person) ?? 0) + 1))
  return person
}

async function sendBurst({
  phone,
  customers,
  textsEach: each,
  text,
}: Extract<ServiceCommand, { do: 'burst' }>): Promise<number> {
  const { account } = findPerson(phone)
  const devices = [...account.linkedDevices.values()]
  const knownCustomers = customersByPhone.get(phone) ?? []
  customersByPhone.set(phone, knownCustomers)
  while (knownCustomers.length < customers)
    knownCustomers.push(createPerson(`1999${String(customerCount++).padStart(8, '0')}`, 'Customer'))
  const people = knownCustomers.slice(0, customers)
  const ready = []
  for (let round = 1; round <= each; round++)
    for (const one of people)
      for (const device of devices)
        ready.push({ device, stanza: await one.encryptOnly(device, { conversation: `${text} ${round}` }) })
  for (const { device, stanza } of ready) device.deliver(stanza)
  return ready.length
}

async function runCommand(command: ServiceCommand): Promise<unknown> {
  switch (command.do) {
    case 'person':
      return createPerson(command.phone, command.name).account.jid('lid')
    case 'scan':
      return (await findPerson(command.phone).scan(command.qr)).id
    case 'burst':
      return sendBurst(command)
    case 'received':
      return receivedCounts.get(findPerson(command.phone))
  }
}

process.on('message', ({ number, command }: { number: number; command: ServiceCommand }) => {
  runCommand(command).then(
    (result) => process.send?.({ number, result } satisfies ServiceAnswer),
    (error: Error) => process.send?.({ number, error: error.message } satisfies ServiceAnswer),
  )
})
process.on('disconnect', () => process.exit())
process.send?.({ url: wa.url, credentials: wa.credentials } satisfies ServiceReady)
