import { ticketsApi } from '@recado/contract/tickets'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { formatDayTime } from '../../../lib/format.ts'
import { defineTexts, useTexts } from '../../../lib/texts.ts'
import { InlineNotice } from '../../../ui/inline-notice.tsx'

const texts = defineTexts({
  es: {
    notice: (until: string) =>
      `WhatsApp no deja que esta línea escriba a quien no le ha escrito hasta el ${until}. Lo que envíes espera; si el cliente escribe, sale al momento.`,
  },
  pt: {
    notice: (until) =>
      `O WhatsApp não deixa esta linha escrever para quem não lhe escreveu até ${until}. O que você enviar espera; se o cliente escrever, sai na hora.`,
  },
  en: {
    notice: (until) =>
      `WhatsApp isn't letting this line message people who haven't written to it until ${until}. What you send waits; if the customer writes, it goes out right away.`,
  },
})

type Props = { ticketId: number; lockedUntil: string; lastMessageId: string | undefined }

/** Says that messages to this customer wait. The server knows whether the customer wrote; a new message asks it again. */
export default function ReachOutNotice({ ticketId, lockedUntil, lastMessageId }: Props) {
  const words = useTexts(texts)
  const { data } = useQuery({
    queryKey: ['reach-out-hold', ticketId, lockedUntil, lastMessageId],
    queryFn: ({ signal }) => callApi(ticketsApi.hold, { params: { id: ticketId } }, { signal }),
  })
  if (!data?.until) return null
  return <InlineNotice kind="warn">{words.notice(formatDayTime(data.until))}</InlineNotice>
}
