import { sandboxApi } from '@recado/contract/sandbox'
import { call } from '../../lib/api.ts'

/** The phone's camera meets the code: the line is linked as soon as it shows one. */
export const scanWhenShown = (whatsappId: number): Promise<unknown> => call(sandboxApi.scan, { params: { whatsappId } })
