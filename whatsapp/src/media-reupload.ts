import { randomBytes } from 'node:crypto'
import { aesEncryptGCM, type BinaryNode, hkdf, proto } from 'baileys'
import { notificationStanza } from './account-notifications.ts'
import type { LinkedDevice } from './accounts.ts'
import { mediaTypeOf } from './envelope.ts'
import type { MediaServer } from './media.ts'
import { childNode, createNode } from './nodes.ts'

const { SUCCESS, NOT_FOUND } = proto.MediaRetryNotification.ResultType

/** The client found a file missing on the media server and asks the phone, which uploads it again if it still has it. */
export function reuploadMedia(
  device: LinkedDevice,
  request: BinaryNode,
  message: proto.IMessage,
  media: MediaServer,
): void {
  const id = request.attrs.id ?? ''
  const type = mediaTypeOf(message)
  const file = type && message[`${type}Message` as 'imageMessage']
  if (!file?.mediaKey || !file.directPath) return
  const directPath = media.restore(file.directPath)
  const answer = { stanzaId: id, directPath, result: directPath ? SUCCESS : NOT_FOUND }
  const key = hkdf(Buffer.from(file.mediaKey), 32, { info: 'WhatsApp Media Retry Notification' })
  const iv = randomBytes(12)
  const sealed = aesEncryptGCM(proto.MediaRetryNotification.encode(answer).finish(), key, iv, Buffer.from(id))
  const rmr = childNode(request, 'rmr')
  const stanza = notificationStanza(device.account.jid('pn'), 'mediaretry', [
    createNode('encrypt', {}, [createNode('enc_p', {}, sealed), createNode('enc_iv', {}, iv)]),
    createNode('rmr', { ...rmr?.attrs }),
  ])
  device.deliver({ ...stanza, attrs: { ...stanza.attrs, id } })
}
