import type { SessionUser } from '@recado/contract/users'
import { IconPlayerPause, IconUserOff } from '@tabler/icons-react'
import { createPortal } from 'react-dom'
import { formatTime } from '../../lib/format.ts'
import { useSession } from '../../lib/session.tsx'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { saveAvailability } from '../../parts/save-availability.ts'
import classes from './availability-line.module.css'

const texts = defineTexts({
  es: {
    break: (since: string, reason: string) =>
      `En pausa${reason && ` (${reason})`} desde las ${since}. No recibes tickets nuevos.`,
    inactivity: (since: string) => `Pasaste a ausente a las ${since}. No recibes tickets nuevos.`,
    missedOffers: (since: string) =>
      `En pausa desde las ${since}, porque dejaste pasar dos tickets. No recibes tickets nuevos.`,
    back: 'Volver ahora',
  },
  pt: {
    break: (since, reason) => `Em pausa${reason && ` (${reason})`} desde as ${since}. Você não recebe tickets novos.`,
    inactivity: (since) => `Você ficou ausente às ${since}. Não recebe tickets novos.`,
    missedOffers: (since) =>
      `Em pausa desde as ${since}, porque você deixou passar dois tickets. Não recebe tickets novos.`,
    back: 'Voltar agora',
  },
  en: {
    break: (since, reason) => `On a break${reason && ` (${reason})`} since ${since}. You get no new tickets.`,
    inactivity: (since) => `You became away at ${since}. You get no new tickets.`,
    missedOffers: (since) => `On a break since ${since}, because you missed two tickets. You get no new tickets.`,
    back: 'Back now',
  },
})

/** Tells users on a break, and users who became away without saying so, that they get no tickets. */
export default function AvailabilityLine() {
  const words = useTexts(texts)
  const { user } = useSession()
  const slot = document.getElementById('availability-line')
  const kind = user && findLineKind(user)
  if (!user || !kind || !slot) return null
  const since = formatTime(user.availabilitySince)
  const Icon = kind === 'inactivity' ? IconUserOff : IconPlayerPause
  return createPortal(
    <div className={classes.root} role="status">
      <Icon size={16} stroke={2} aria-hidden="true" />
      <span>{words[kind](since, user.availabilityReason)}</span>
      <button type="button" className={classes.back} onClick={() => void saveAvailability(user.id, 'available')}>
        {words.back}
      </button>
    </div>,
    slot,
  )
}

/** Who chose to be away needs no reminder. */
function findLineKind({ availability, availabilityCause: cause }: SessionUser) {
  if (availability === 'away') return cause === 'inactivity' ? 'inactivity' : null
  if (availability === 'break') return cause === 'missedOffers' ? 'missedOffers' : 'break'
  return null
}
