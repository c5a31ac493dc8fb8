import { ticketsApi } from '@recado/contract/tickets'
import type { User } from '@recado/contract/users'
import { callApi } from '../lib/api.ts'
import { currentTexts, defineTexts } from '../lib/texts.ts'
import { openConfirm } from '../ui/confirm.tsx'

/** The server counts a list up to this many tickets. */
const maxTicketsCounted = 200

const texts = defineTexts({
  es: {
    ask: (name: string) => `¿Desactivar a ${name}?`,
    verb: 'Desactivar',
    line: 'No podrá entrar, y conserva su historial.',
    removeLine: 'Ya no podrá entrar.',
    noTickets: 'No tiene tickets abiertos.',
    tickets: (n: number) =>
      n === 1 ? 'Su ticket abierto vuelve a su cola.' : `Sus ${n} tickets abiertos vuelven a sus colas.`,
    allTickets: 'Sus tickets abiertos vuelven a sus colas.',
  },
  pt: {
    ask: (name) => `Desativar ${name}?`,
    verb: 'Desativar',
    line: 'Não poderá entrar, e o histórico fica.',
    removeLine: 'Não poderá mais entrar.',
    noTickets: 'Não tem tickets abertos.',
    tickets: (n) => (n === 1 ? 'O ticket aberto volta para a fila.' : `Os ${n} tickets abertos voltam para as filas.`),
    allTickets: 'Os tickets abertos voltam para as filas.',
  },
  en: {
    ask: (name) => `Deactivate ${name}?`,
    verb: 'Deactivate',
    line: "They won't be able to log in. Their history stays.",
    removeLine: "They'll no longer be able to log in.",
    noTickets: 'They have no open tickets.',
    tickets: (n) =>
      n === 1 ? 'Their open ticket goes back to its queue.' : `Their ${n} open tickets go back to their queues.`,
    allTickets: 'Their open tickets go back to their queues.',
  },
})

/** What happens to the open tickets of a user without access. Tickets of another company cannot be counted from here. */
async function describeOpenTickets(userId: number, isOwnCompany: boolean): Promise<string> {
  const words = currentTexts(texts)
  if (!isOwnCompany) return words.allTickets
  const query = { status: 'open' as const, showAll: true, users: [userId], pageNumber: 1 }
  const { count } = await callApi(ticketsApi.list, { query })
  if (count === 0) return words.noTickets
  return count < maxTicketsCounted ? words.tickets(count) : words.allTickets
}

/** Asks before a user loses access, and says what happens to their open tickets. */
export async function confirmDeactivation({ id, name }: User, isOwnCompany = true): Promise<boolean> {
  const words = currentTexts(texts)
  const consequence = `${words.line} ${await describeOpenTickets(id, isOwnCompany)}`
  return openConfirm({ title: words.ask(name), consequence, verb: words.verb })
}

export const describeUserRemoval = async ({ id }: User): Promise<string> =>
  `${currentTexts(texts).removeLine} ${await describeOpenTickets(id, true)}`
