import '@recado/whatsapp/silence-libsignal'
import { MessageRecord } from '@recado/whatsapp/message-record'
import type { Person } from '@recado/whatsapp/person'
import type { WhatsApp } from '@recado/whatsapp/service'
import type { ReceivedByCustomer, SentByCustomer } from './judge.ts'

/** The owner of the linked phone, and customers who write to it. Their phones' record is compared with the server's data. */
export function openLinkedCustomers(wa: WhatsApp) {
  const owner = wa.addPerson('5511960000000', 'Tienda')
  owner.account.businessName = 'Tienda'
  const people = new Map<string, Person>()
  const sent: SentByCustomer[] = []
  const record = new MessageRecord()
  /** Messages leave one after another, so that each chat has one order. */
  let lastSend: Promise<unknown> = Promise.resolve()
  let sendCount = 0
  let unfinished = 0

  function personOf(chat: string): Person {
    const known = people.get(chat)
    if (known) return known
    const person = wa.addPerson(chat, `Cliente ${chat.slice(-3)}`)
    people.set(chat, person)
    record.follow(person)
    return person
  }
  const devices = () => [...owner.account.linkedDevices.values()]

  return {
    sent,
    /** Links the phone of the shop by the QR code of a line. */
    link: (qrcode: string) => owner.scan(qrcode),
    isLinkedChat: (chat: string) => people.has(chat),
    /** Adds a customer who writes to the linked line only. */
    add: (chat: string) => void personOf(chat),
    send(chat: string, text: string): void {
      unfinished++
      const second = Math.floor(Date.now() / 1000)
      lastSend = lastSend
        .then(async () => {
          const id = await personOf(chat).sendText(owner.account, text)
          sent.push({ chat, id, second, turn: sendCount++ })
        })
        .finally(() => unfinished--)
    },
    listReceived: (): ReceivedByCustomer[] => record.list(),
    /** WhatsApp drops the connections of the linked line. */
    dropConnections(): void {
      for (const device of devices()) device.connection?.terminate()
    },
    /** Whether the server has acknowledged everything. */
    isQuiet: () => unfinished === 0 && devices().every((device) => device.pendingCount === 0),
  }
}
export type LinkedCustomers = ReturnType<typeof openLinkedCustomers>
