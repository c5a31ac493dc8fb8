import { Menu } from '@mantine/core'
import { type Availability, availabilities, usersApi } from '@recado/contract/users'
import { IconCheck } from '@tabler/icons-react'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { availabilityTexts } from '../../parts/availability-texts.ts'
import { PresenceMark } from '../../parts/presence-mark.tsx'
import classes from './availability-items.module.css'

const texts = defineTexts({
  es: {
    label: 'Disponibilidad',
    help: {
      available: 'Recibes los tickets que se reparten',
      break: 'No recibes más; los tuyos te esperan',
      away: 'No recibes más hasta que vuelvas',
    } as Record<Availability, string>,
  },
  pt: {
    label: 'Disponibilidade',
    help: {
      available: 'Você recebe os tickets distribuídos',
      break: 'Você não recebe mais; os seus esperam',
      away: 'Você não recebe mais até voltar',
    },
  },
  en: {
    label: 'Availability',
    help: {
      available: 'You get the tickets that are assigned',
      break: 'You get no more; yours wait for you',
      away: 'You get no more until you are back',
    },
  },
})

/** The states in which the current user can be, in the account menu. */
export function AvailabilityItems() {
  const { label, help } = useTexts(texts)
  const names = useTexts(availabilityTexts)
  const { user } = useSession()
  if (!user) return null
  const choose = (availability: Availability) =>
    void callApi(usersApi.setAvailability, { params: { id: user.id }, body: { availability, reason: '' } }).catch(
      toast.error,
    )
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {availabilities.map((one) => (
        <Menu.Item
          key={one}
          className={classes.item ?? ''}
          aria-current={user.availability === one || undefined}
          leftSection={<PresenceMark availability={one} />}
          rightSection={user.availability === one && <IconCheck size={16} stroke={2} aria-hidden="true" />}
          onClick={() => choose(one)}
        >
          {names[one]}
          <span className={classes.help}>{help[one]}</span>
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  )
}
