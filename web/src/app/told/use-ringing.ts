import { type MessageNews, topics } from '@recado/contract/live'
import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import type { SessionUser } from '@recado/contract/users'
import { useLive } from '../../lib/live.ts'
import { playNotice } from '../../lib/sound.ts'
import { textsNow } from '../../lib/texts.ts'
import { previewOf } from '../../parts/ticket/preview.ts'
import { previewTexts } from '../../parts/ticket/preview-texts.ts'
import { isFocused } from './focus.ts'
import { noticesAreWanted, permission, showNotice } from './notices.ts'
import { inOneTab, isShown } from './one-tab.ts'
import { type Telling, tellingOf } from './telling.ts'

/** A customer who writes ten lines in a row is heard once, and so are ten customers who write at once. */
const quietMs = 2500
/** So long no other tab tells the same message again. */
const toldMs = 5000

type Created = Extract<MessageNews, { action: 'create' }>

/** Messages make themselves heard, and seen by who looks elsewhere. They never move anybody. */
export function useRinging(me: SessionUser): void {
  useLive(topics.message, (news) => {
    const telling = tellingOf(news, me, { path: location.pathname, focused: isFocused() })
    if (telling === 'nothing' || news.action !== 'create') return
    if (telling !== 'seen') void tellOnce(telling, news, me)
  })
}

async function tellOnce(telling: Telling, news: Created, me: SessionUser): Promise<void> {
  // Not a matter of who is quicker: the tab in which it is being read has said so before.
  if (await isShown(`at /tickets/${news.ticket.uuid}`)) return
  const eagerness = telling === 'sound' ? 'first' : 'last'
  await inOneTab(`message ${news.message.id}`, eagerness, toldMs, () => tell(telling, news, me))
}

function tell(telling: Telling, news: Created, me: SessionUser): void {
  void inOneTab('sound', 'first', quietMs, () => playNotice())
  if (telling === 'sound and notice' && permission() === 'granted' && noticesAreWanted(me.id))
    void showNotice(
      { ticketId: news.ticket.id, uuid: news.ticket.uuid },
      news.ticket.contact.name || news.ticket.contact.number,
      textOf(news.ticket, news.message),
    )
}

function textOf(ticket: Ticket, message: Message): string {
  const { text } = previewOf(ticket, textsNow(previewTexts).kinds)
  return ticket.isGroup && message.contact ? `${message.contact.name}: ${text}` : text
}
