import { topics } from '@recado/contract/live'
import { type Draft, draftsApi, maxDraftsPerUser } from '@recado/contract/schedules/drafts'
import { useEffect } from 'react'
import { ApiError, callApi } from '../../../lib/api.ts'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import {
  isOnServer,
  listDraftPlaces,
  onDraftWritten,
  readStoredDraft,
  storeDraft,
} from '../../message/composer/drafts.ts'
import { draftKey } from './composer-keys.ts'

/** The server gets a draft when its author has stopped typing for this long. */
const pushDelayMs = 700
const pushTimers = new Map<string, ReturnType<typeof setTimeout>>()

function schedulePush(place: string): void {
  if (!isOnServer(place)) return
  clearTimeout(pushTimers.get(place))
  pushTimers.set(
    place,
    setTimeout(() => void push(place), pushDelayMs),
  )
}

/** Drafts that are on their way: one call at a time for each place, so that an older text never arrives after a newer one. */
const pushes = new Map<string, Promise<void>>()

/** Sends a draft that the server does not have. Without a network it stays here until the next attempt. */
function push(place: string): Promise<void> {
  clearTimeout(pushTimers.get(place))
  pushTimers.delete(place)
  const sent = (pushes.get(place) ?? Promise.resolve()).then(() => sendDraft(place))
  pushes.set(place, sent)
  return sent.finally(() => {
    if (pushes.get(place) === sent) pushes.delete(place)
  })
}

async function sendDraft(place: string): Promise<void> {
  const draft = readStoredDraft(place)
  if (!draft || draft.savedAt) return
  const [id, mode] = place.split('.') as [string, Draft['mode']]
  const ageMs = Math.max(0, Date.now() - draft.at)
  try {
    const saved = await callApi(draftsApi.write, {
      params: { id: Number(id) },
      body: { mode, body: draft.text, ageMs },
    })
    // What was typed meanwhile is newer than the reply.
    if (readStoredDraft(place)?.at === draft.at) adopt(saved, draft.at)
  } catch (error) {
    // The ticket is deleted or not visible any more: an empty draft has nobody to be reported to.
    const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
    if (isRefused && draft.text === '' && readStoredDraft(place)?.at === draft.at) storeDraft(place, null)
  }
}

/** Takes over a draft of the server, unless a newer text was typed here. */
function adopt({ ticketId, mode, body, updatedAt }: Draft, typedAt?: number): void {
  const place = draftKey(ticketId, mode)
  const here = readStoredDraft(place)
  const isUnsaved = here !== null && here.savedAt === undefined && here.at !== typedAt
  const isOlder = here?.savedAt !== undefined && here.savedAt > updatedAt
  if (isUnsaved || isOlder) return
  if (body !== '') storeDraft(place, { text: body, at: Date.parse(updatedAt), savedAt: updatedAt })
  else if (here) storeDraft(place, null)
}

/** Exchanges all drafts with the server: at the start, and after the connection was lost. */
async function syncAll(): Promise<void> {
  const savedBefore = new Map(listDraftPlaces().map((place) => [place, readStoredDraft(place)?.savedAt]))
  const { drafts } = await callApi(draftsApi.list, {})
  for (const draft of drafts) adopt(draft)
  const known = new Set(drafts.map(({ ticketId, mode }) => draftKey(ticketId, mode)))
  for (const place of listDraftPlaces().filter(isOnServer)) {
    const here = readStoredDraft(place)
    if (!here?.savedAt) await push(place)
    // The ticket was deleted, on another device or with the data of its customer. A draft that was saved during the call
    // is only missing in its reply.
    else if (!known.has(place) && drafts.length < maxDraftsPerUser && savedBefore.get(place) === here.savedAt)
      storeDraft(place, null)
  }
}

/** Keeps the drafts in tickets the same on all devices of the logged-in user, while a screen with tickets is open. */
export function useSyncDrafts(): void {
  const sync = () => void syncAll().catch(() => undefined)
  useEffect(() => {
    void syncAll().catch(() => undefined)
    const flush = () => {
      if (document.visibilityState === 'hidden') for (const place of pushTimers.keys()) void push(place)
    }
    document.addEventListener('visibilitychange', flush)
    const end = onDraftWritten(schedulePush)
    return () => {
      end()
      document.removeEventListener('visibilitychange', flush)
      for (const place of pushTimers.keys()) void push(place)
    }
  }, [])
  useResync(sync)
  useLiveTopic(topics.draft, ({ draft }) => adopt(draft))
}
