import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { encryptedStream, generateMessageIDV2, proto } from 'baileys'
import type { LinkedDevice } from './accounts.ts'
import { encryptFor } from './envelope.ts'
import type { MediaServer } from './media.ts'
import { createNode, unixNow } from './nodes.ts'

const { APP_STATE_SYNC_KEY_SHARE, HISTORY_SYNC_NOTIFICATION } = proto.Message.ProtocolMessage.Type
const { INITIAL_BOOTSTRAP, RECENT, ON_DEMAND } = proto.HistorySync.HistorySyncType

/** A protocol message from the phone to one of its own companions, not shown in any chat. */
async function sendToCompanion(device: LinkedDevice, protocolMessage: proto.Message.IProtocolMessage): Promise<void> {
  const { account } = device
  const enc = await encryptFor(account.person.signal, device, { protocolMessage })
  const attrs = { id: generateMessageIDV2(), from: account.jid('pn'), type: 'text', category: 'peer', t: unixNow() }
  device.deliver(createNode('message', attrs, [enc]))
}

/** The data a phone sends to a new companion: the app state key, then its history in chunks. */
export async function sendInitialHistory(
  device: LinkedDevice,
  media: MediaServer,
  chunks: proto.IHistorySync[],
): Promise<void> {
  const keyData = {
    keyData: randomBytes(32),
    fingerprint: { rawId: 1, currentIndex: 0, deviceIndexes: [0] },
    timestamp: Date.now(),
  }
  await sendToCompanion(device, {
    type: APP_STATE_SYNC_KEY_SHARE,
    appStateSyncKeyShare: { keys: [{ keyId: { keyId: randomBytes(6) }, keyData }] },
  })
  const list = chunks.length ? chunks : [{}]
  for (const [chunkOrder, chunk] of list.entries()) {
    const head = {
      syncType: chunkOrder ? RECENT : INITIAL_BOOTSTRAP,
      progress: Math.round((100 * (chunkOrder + 1)) / list.length),
      chunkOrder,
    }
    await sendHistory(device, media, { ...chunk, ...head })
  }
}

/** `requestId`: the request that this history answers, if it is not the latest request. */
export type OlderHistory = proto.IHistorySync & { requestId?: string }

/** Sends older messages that the client requested from its phone. */
export async function sendOlderHistory(
  device: LinkedDevice,
  media: MediaServer,
  history: proto.IHistorySync,
  requestId: string,
): Promise<void> {
  await sendHistory(device, media, { ...history, syncType: ON_DEMAND, progress: 100, chunkOrder: 0 }, requestId)
}

async function sendHistory(
  device: LinkedDevice,
  media: MediaServer,
  history: Omit<proto.IHistorySync, 'syncType'> & { syncType: proto.HistorySync.HistorySyncType },
  peerDataRequestSessionId?: string,
): Promise<void> {
  const packed = deflateSync(proto.HistorySync.encode(history).finish())
  const { syncType, progress, chunkOrder } = history
  const head = { syncType, progress, chunkOrder, ...(peerDataRequestSessionId && { peerDataRequestSessionId }) }
  // The first chunk is inline in the message; the others are on the media server.
  const body =
    syncType === INITIAL_BOOTSTRAP ? { initialHistBootstrapInlinePayload: packed } : await uploadHistory(media, packed)
  await sendToCompanion(device, { type: HISTORY_SYNC_NOTIFICATION, historySyncNotification: { ...head, ...body } })
}

async function uploadHistory(media: MediaServer, packed: Buffer) {
  const sealed = await encryptedStream(packed, 'md-msg-hist')
  const { mediaKey, fileSha256, fileEncSha256, fileLength, encFilePath } = sealed
  const directPath = media.put(fileEncSha256.toString('hex'), await readFile(encFilePath))
  await rm(encFilePath)
  return { mediaKey, fileSha256, fileEncSha256, fileLength, directPath }
}
