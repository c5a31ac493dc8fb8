import type { FlowStep } from '@recado/contract/flows/flow-steps'
import { isMaskedSecret } from '@recado/contract/settings'

/** The server cannot know the value of a masked header in another step or for another server: it has to be typed again. */
export const withoutMaskedHeaders = <Step extends FlowStep>(step: Step): Step =>
  step.kind === 'call'
    ? { ...step, headers: step.headers.map(({ name, value }) => ({ name, value: isMaskedSecret(value) ? '' : value })) }
    : step

export const hasMaskedHeaders = (step: FlowStep): boolean =>
  step.kind === 'call' && step.headers.some(({ value }) => isMaskedSecret(value))

/** The server of an address; what comes after it may contain variables. */
export const originOf = (url: string): string =>
  /^https?:\/\/[^\s/?#]{1,253}/i.exec(url.slice(0, 300))?.[0].toLowerCase() ?? ''
