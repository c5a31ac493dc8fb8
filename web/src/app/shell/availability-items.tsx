import { Menu } from '@mantine/core'
import { splitLines } from '@recado/contract/settings'
import { type Availability, availabilities } from '@recado/contract/users'
import { IconCheck } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useSession } from '../../lib/session.tsx'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { availabilityTexts } from '../../parts/availability-texts.ts'
import { PresenceMark } from '../../parts/presence-mark.tsx'
import { saveAvailability } from '../../parts/save-availability.ts'
import { useSettings } from '../../parts/use-settings.ts'
import classes from './availability-items.module.css'

const texts = defineTexts({
  es: {
    label: 'Disponibilidad',
    byItself: (minutes: string) => `Pasas a ausente tras ${minutes} min sin usar Recado.`,
    help: {
      available: 'Recibes los tickets que se reparten',
      break: 'No recibes más; los tuyos te esperan',
      away: 'No recibes más hasta que vuelvas',
    } as Record<Availability, string>,
  },
  pt: {
    label: 'Disponibilidade',
    byItself: (minutes) => `Você fica ausente após ${minutes} min sem usar o Recado.`,
    help: {
      available: 'Você recebe os tickets distribuídos',
      break: 'Você não recebe mais; os seus esperam',
      away: 'Você não recebe mais até voltar',
    },
  },
  en: {
    label: 'Availability',
    byItself: (minutes) => `You become away after ${minutes} min without using Recado.`,
    help: {
      available: 'You get the tickets that are assigned',
      break: 'You get no more; yours wait for you',
      away: 'You get no more until you are back',
    },
  },
})

/** The states in which the current user can be, in the account menu. */
export function AvailabilityItems() {
  const { label, help, byItself } = useTexts(texts)
  const names = useTexts(availabilityTexts)
  const { user } = useSession()
  const settings = useSettings()
  if (!user) return null
  const reasons = splitLines(settings.getValue('breakReasons'))
  const awayAfter = settings.getValue('awayAfterMinutes')
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {availabilities.map((one) => (
        <Fragment key={one}>
          <Menu.Item
            className={classes.item ?? ''}
            aria-current={user.availability === one || undefined}
            leftSection={<PresenceMark availability={one} />}
            rightSection={user.availability === one && <IconCheck size={16} stroke={2} aria-hidden="true" />}
            onClick={() => void saveAvailability(user.id, one)}
          >
            {names[one]}
            <span className={classes.help}>{help[one]}</span>
          </Menu.Item>
          {one === 'break' && reasons.length > 0 && (
            <div className={classes.reasons}>
              {reasons.map((reason) => (
                <Menu.Item
                  key={reason}
                  className={classes.reason ?? ''}
                  aria-label={`${names.break}: ${reason}`}
                  aria-current={(user.availability === 'break' && user.availabilityReason === reason) || undefined}
                  onClick={() => void saveAvailability(user.id, 'break', reason)}
                >
                  {reason}
                </Menu.Item>
              ))}
            </div>
          )}
        </Fragment>
      ))}
      {awayAfter !== '0' && <p className={classes.note}>{byItself(awayAfter)}</p>}
      <Menu.Divider />
    </>
  )
}
