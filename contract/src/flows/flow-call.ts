import type { CallStep } from './flow-steps.ts'
import { type FlowVariables, maxVariableLength, renderFlowText, type TextValues } from './flow-variables.ts'

export type FlowRequest = {
  method: CallStep['method']
  url: string
  headers: { name: string; value: string }[]
  body: string | null
}

/** The request of a call. Each value is encoded for its place, so that an answer of a customer changes nothing around it. */
export function buildRequest(step: CallStep, variables: FlowVariables, texts: TextValues): FlowRequest {
  const fill = (text: string, encode: (value: string) => string) => renderFlowText(text, variables, texts, encode)
  return {
    method: step.method,
    url: fill(step.url, encodeUrlPart),
    headers: step.headers.map(({ name, value }) => ({ name, value: fill(value, encodeHeader) })),
    body: step.method === 'GET' || step.body === '' ? null : fill(step.body, encodeJsonText),
  }
}

/** A segment of dots alone would leave the path, encoded or not. */
const encodeUrlPart = (value: string): string => (/^\.+$/.test(value) ? '' : encodeURIComponent(value.toWellFormed()))
const encodeJsonText = (value: string): string => JSON.stringify(value).slice(1, -1)
/** Headers are printable ASCII: a line break would begin another header. */
const encodeHeader = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?')

/** The variables that the parts of a reply or of a hook are kept in. A missing part, or an object, is empty. */
export const keepParts = (
  parts: readonly { path: string; variable: string }[],
  reply: unknown,
): Record<string, string> =>
  Object.fromEntries(parts.map(({ path, variable }) => [variable, textOfPart(partAt(reply, path))]))

const partAt = (reply: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (part, key) =>
        typeof part === 'object' && part && Object.hasOwn(part, key) ? Reflect.get(part, key) : undefined,
      reply,
    )

const textOfPart = (part: unknown): string =>
  typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean'
    ? String(part).slice(0, maxVariableLength)
    : ''
