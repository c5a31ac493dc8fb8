import { type Connection, connectionsApi } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import { sandboxApi } from '@recado/contract/sandbox'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { testLineTexts } from './test-line-texts.ts'
import { useApplyLineNews } from './use-lines.ts'

/** A number with a country code that does not exist. */
const randomPhoneNumber = () => `999${String(Math.floor(Math.random() * 1e10)).padStart(10, '0')}`

/** Simulates the phone's scan: the line is linked as soon as it shows a code. */
export const scanTestLineQr = (whatsappId: number): Promise<unknown> =>
  callApi(sandboxApi.scan, { params: { whatsappId } })

/** Creates four customers, each of whom has written. */
export function useCreateTestCustomers(): (line: Pick<Connection, 'id'>) => Promise<void> {
  const { customers } = useTexts(testLineTexts)
  return async ({ id: whatsappId }) => {
    for (const [name, body] of customers)
      await callApi(sandboxApi.send, {
        params: { whatsappId },
        body: { from: randomPhoneNumber(), name, body, onlyLid: false, fromMe: false },
      })
  }
}

/** Prepares a line for trying the app: created if necessary, linked, with customers who have written. */
export function usePrepareTestLine(): (lines: Connection[]) => Promise<Connection> {
  const { name } = useTexts(testLineTexts)
  const write = useCreateTestCustomers()
  const news = useApplyLineNews()
  return async (lines) => {
    const there = lines.find((line) => lineTraits[line.provider].test)
    const line = there ?? (await callApi(connectionsApi.create, { body: testLineBody(name) }))
    if (!there) news({ action: 'update', row: line })
    await scanTestLineQr(line.id)
    await write(line)
    return line
  }
}

const testLineBody = (name: string) => ({
  name,
  provider: 'sandbox' as const,
  token: '',
  greetingMessage: '',
  complationMessage: '',
  outOfHoursMessage: '',
  ratingMessage: '',
  expiresTicket: 0,
  expiresInactiveMessage: '',
  timeToTransfer: null,
  transferQueueId: null,
  promptId: null,
  timeUseBotQueues: 0,
  maxUseBotQueues: 3,
})
