import { randomBytes } from 'node:crypto'
import { type AnyMediaMessageContent, downloadMediaMessage } from 'baileys'
import { beforeAll, expect, it } from 'vitest'
import type { Person } from '../src/person.ts'
import type { Client } from './client.ts'
import { nextMessage, nextReceivedMessage, setUpService } from './service-fixture.ts'

const service = setUpService()
let owner: Person
let alice: Person
let client: Client
beforeAll(async () => {
  owner = service.person('Shop')
  alice = service.person('Alice')
  ;({ client } = await service.link(owner))
})

const file = randomBytes(50_000)
const kinds: [string, AnyMediaMessageContent][] = [
  ['image', { image: file, caption: 'broken item', jpegThumbnail: '' }],
  ['document', { document: file, mimetype: 'application/pdf', fileName: 'invoice.pdf' }],
  ['audio', { audio: file, mimetype: 'audio/ogg; codecs=opus', ptt: true, seconds: 3 }],
  ['video', { video: file, jpegThumbnail: '' }],
  ['sticker', { sticker: file }],
]
it.each(kinds)('transfers a file in both directions: %s', async (kind, content) => {
  const key = `${kind}Message` as 'imageMessage'
  const arrival = nextMessage(client, ({ message }) => Boolean(message?.[key]))
  await alice.sendMedia(owner.account, content)
  const { message, jid } = await arrival
  expect(file.equals(await downloadMediaMessage(message, 'buffer', {}))).toBe(true)
  const received = nextReceivedMessage(alice)
  await client.socket.sendMessage(jid, content)
  expect(file.equals(await alice.download((await received).message))).toBe(true)
})

it('uploads a file again from the phone after the media server deleted it', async () => {
  const arrival = nextMessage(client, ({ message }) => Boolean(message?.documentMessage))
  await alice.sendMedia(owner.account, { document: file, mimetype: 'text/plain', fileName: 'late.txt' })
  const { message } = await arrival
  service.wa.media.expireAll()
  await expect(downloadMediaMessage(message, 'buffer', {})).rejects.toMatchObject({ output: { statusCode: 410 } })
  const fresh = await client.socket.updateMediaMessage(message)
  expect(file.equals(await downloadMediaMessage(fresh, 'buffer', {}))).toBe(true)
})

it('shows a profile picture and announces its change', async () => {
  const ask = () => client.socket.profilePictureUrl(alice.account.jid('pn'), 'image')
  await expect(ask()).rejects.toThrow('item-not-found')
  const told = client.next('contacts.update', ([contact]) => contact)
  const jpeg = randomBytes(1000)
  alice.setPicture(jpeg, [owner.account])
  expect(await told).toMatchObject({ id: alice.account.jid('lid'), imgUrl: 'changed' })
  const response = await fetch((await ask()) ?? '')
  expect(jpeg.equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
})
