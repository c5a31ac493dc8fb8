import { usersApi } from '@recado/contract/users'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { IconHierarchy2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { defineTexts, useTexts } from '../../../lib/texts.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'

const texts = defineTexts({
  es: {
    title: 'No estás en ninguna cola',
    line: 'Por eso no ves los tickets de los clientes.',
    lineLoose: 'Por eso solo ves a los clientes que esperan sin cola, y ahora no hay ninguno.',
    ask: (names: string[]) =>
      `Pídele a ${new Intl.ListFormat('es', { type: 'disjunction' }).format(names)} que te agregue a una.`,
  },
  pt: {
    title: 'Você não está em nenhuma fila',
    line: 'Por isso você não vê os tickets dos clientes.',
    lineLoose: 'Por isso você só vê os clientes que esperam sem fila, e agora não há nenhum.',
    ask: (names) =>
      `Peça a ${new Intl.ListFormat('pt', { type: 'disjunction' }).format(names)} para incluir você em uma.`,
  },
  en: {
    title: 'You are not in any queue',
    line: 'That is why you do not see customers’ tickets.',
    lineLoose: 'That is why you only see customers who wait without a queue, and right now there are none.',
    ask: (names) => `Ask ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)} to add you to one.`,
  },
})

/** Maximum number of admins that are named. */
const maxNamedAdmins = 3

/** For users who see few tickets or none because they are in no queue: says so, and who can change it. */
export function NoQueueState({ seesLoose }: { seesLoose: boolean }) {
  const words = useTexts(texts)
  const { data: users = [] } = useQuery({
    queryKey: ['users', 'admins'],
    queryFn: ({ signal }) => callApi(usersApi.everyone, { query: {} }, { signal }),
  })
  const admins = users.filter((user) => user.active && !user.invited && canSeeAllTickets(user))
  const names = admins.slice(0, maxNamedAdmins).map((user) => user.name)
  return (
    <EmptyState
      title={words.title}
      line={[seesLoose ? words.lineLoose : words.line, ...(names.length > 0 ? [words.ask(names)] : [])].join(' ')}
      icon={<IconHierarchy2 size={26} stroke={1.6} />}
    />
  )
}
