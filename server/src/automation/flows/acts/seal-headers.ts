import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { CallStep } from '@recado/contract/flows/flow-steps'
import { isMaskedSecret, secretMask } from '@recado/contract/settings'
import type { Deps } from '../../../kernel/data/scope.ts'
import { AppError } from '../../../kernel/errors.ts'

/**
 * The headers of a call may hold keys of another system. They are sealed while a document is stored, and masked when it
 * is shown.
 */
type VaultDeps = Pick<Deps, 'vault'>
type Header = CallStep['headers'][number]

/** Every stored value that is not empty has it: a typed text that begins with it is sealed like any other. */
const sealedPrefix = 'sealed:'
const sealedValue = (value: string): string | null =>
  value.startsWith(sealedPrefix) ? value.slice(sealedPrefix.length) : null

const changeCalls = (document: FlowDocument, change: (step: CallStep) => CallStep): FlowDocument => ({
  ...document,
  steps: document.steps.map((step) => (step.kind === 'call' ? change(step) : step)),
})
const changeHeaders = (step: CallStep, change: (value: string) => string): CallStep => ({
  ...step,
  headers: step.headers.map(({ name, value }) => ({ name, value: change(value) })),
})

/**
 * Seals the headers of a document that a user sends. A masked value is that of the same header of the same step before,
 * as long as the call goes to the same server: another server must not get the key of this one. `previous`: the stored
 * documents in which a masked value may be, the first one first.
 */
export function sealCallHeaders(
  deps: VaultDeps,
  document: FlowDocument,
  previous: FlowDocument | readonly FlowDocument[] | null,
): FlowDocument {
  const stored = [previous ?? []].flat().flatMap(({ steps }) => steps.filter((step) => step.kind === 'call'))
  return changeCalls(document, (step) => {
    const before = stored.filter(({ id, url }) => id === step.id && isSameServer(url, step.url))
    return { ...step, headers: step.headers.map((header) => sealHeader(deps, header, before)) }
  })
}

function sealHeader({ vault }: VaultDeps, { name, value }: Header, before: CallStep[]): Header {
  if (value === '') return { name, value }
  const isSameName = (other: Header) => other.name.toLowerCase() === name.toLowerCase()
  const known = before.flatMap(({ headers }) => headers.filter(isSameName))
  if (isMaskedSecret(value)) {
    const [kept] = known
    if (!kept) throw new AppError('ERR_VALIDATION', { headers: 'Required' })
    return { name, value: kept.value }
  }
  // The same value keeps its text: a draft must not differ from what was published by a new seal alone.
  const same = known.find((other) => openValue({ vault }, other.value) === value)
  return { name, value: same?.value ?? sealedPrefix + vault.seal(value) }
}

const isSameServer = (one: string, other: string): boolean => {
  const origin = URL.parse(one)?.origin
  return origin !== undefined && origin === URL.parse(other)?.origin
}

/** Null: it was sealed with another APP_SECRET and has to be typed again. */
function openValue({ vault }: VaultDeps, value: string): string | null {
  const sealed = sealedValue(value)
  if (sealed === null) return value
  try {
    return vault.unseal(sealed)
  } catch {
    return null
  }
}

/** The step with the headers that are sent. A header that cannot be opened any more is sent empty. */
export const openHeadersOfStep = (deps: VaultDeps, step: CallStep): CallStep =>
  changeHeaders(step, (value) => openValue(deps, value) ?? '')

/** The document with other seals: `change` gets each sealed value, and returns null to keep it. */
export const changeSeals = (document: FlowDocument, change: (sealed: string) => string | null): FlowDocument =>
  changeCalls(document, (step) =>
    changeHeaders(step, (value) => {
      const sealed = sealedValue(value)
      const changed = sealed === null ? null : change(sealed)
      return changed === null ? value : sealedPrefix + changed
    }),
  )

/** The document as browsers get it. */
export const maskCallHeaders = (document: FlowDocument): FlowDocument =>
  changeCalls(document, (step) => changeHeaders(step, (value) => (value === '' ? '' : secretMask)))
