import { Loader, Select } from '@mantine/core'
import { type RetentionPreview, settingDefinitions, settingsApi } from '@recado/contract/settings'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import type { Settings } from '../../parts/use-settings.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { optionTexts } from './option-texts.ts'
import classes from './settings.module.css'

const formatCount = (n: number, one: string, many: string) => `${formatNumber(n)} ${n === 1 ? one : many}`

const texts = defineTexts({
  es: {
    never: 'Nunca',
    after: (months: number) =>
      months < 12 ? `Después de ${months} meses` : `Después de ${months / 12} ${months === 12 ? 'año' : 'años'}`,
    ask: '¿Borrar datos antiguos cada noche?',
    verb: 'Activar el borrado',
    nothing:
      'Hoy no hay nada tan antiguo. Desde ahora, cada noche se borra lo que llegue a esa edad, y no se puede recuperar.',
    would: ({ messages, files, tickets, more }: RetentionPreview) =>
      `Esta noche se borrarían ${more ? 'más de ' : ''}${formatCount(messages, 'mensaje', 'mensajes')} y ${formatCount(files, 'archivo', 'archivos')} de ${formatCount(tickets, 'ticket cerrado', 'tickets cerrados')}; después, cada noche, lo que llegue a esa edad. No se puede recuperar. Los tickets, sus notas y las cifras quedan.`,
  },
  pt: {
    never: 'Nunca',
    after: (months) =>
      months < 12 ? `Depois de ${months} meses` : `Depois de ${months / 12} ${months === 12 ? 'ano' : 'anos'}`,
    ask: 'Apagar dados antigos toda noite?',
    verb: 'Ativar a exclusão',
    nothing:
      'Hoje não há nada tão antigo. A partir de agora, toda noite é apagado o que chegar a essa idade, e não dá para recuperar.',
    would: ({ messages, files, tickets, more }) =>
      `Esta noite seriam apagados ${more ? 'mais de ' : ''}${formatCount(messages, 'mensagem', 'mensagens')} e ${formatCount(files, 'arquivo', 'arquivos')} de ${formatCount(tickets, 'ticket fechado', 'tickets fechados')}; depois, a cada noite, o que chegar a essa idade. Não dá para recuperar. Os tickets, suas notas e os números ficam.`,
  },
  en: {
    never: 'Never',
    after: (months) =>
      months < 12 ? `After ${months} months` : `After ${months / 12} ${months === 12 ? 'year' : 'years'}`,
    ask: 'Delete old data every night?',
    verb: 'Turn on deletion',
    nothing:
      "Nothing is that old today. From now on, whatever reaches that age is deleted each night and can't be recovered.",
    would: ({ messages, files, tickets, more }) =>
      `Tonight ${more ? 'more than ' : ''}${formatCount(messages, 'message', 'messages')} and ${formatCount(files, 'file', 'files')} from ${formatCount(tickets, 'closed ticket', 'closed tickets')} would be deleted; after that, every night, whatever reaches that age. It can't be recovered. Tickets, their notes and the numbers are kept.`,
  },
})

type Props = { settings: Settings; id: string; 'aria-describedby': string }

/** Before the retention is enabled or shortened, the field shows how much would be deleted. */
export function RetentionField({ settings, ...labels }: Props) {
  const words = useTexts(texts)
  const { saved } = useTexts(optionTexts)
  const [asking, setAsking] = useState(false)
  const value = settings.getValue('retentionMonths')
  const choose = async (next: string | null) => {
    if (next === null || next === value) return
    if (next !== '0' && (value === '0' || Number(next) < Number(value))) {
      setAsking(true)
      const preview = await callApi(settingsApi.retention, { query: { months: Number(next) } }).catch(
        (error: unknown) => {
          toast.error(error)
          return null
        },
      )
      setAsking(false)
      if (!preview) return
      const consequence = preview.messages ? words.would(preview) : words.nothing
      if (!(await openConfirm({ title: words.ask, consequence, verb: words.verb }))) return
    }
    await settings.save('retentionMonths', next, saved)
  }
  const data = settingDefinitions.retentionMonths.values.map((one) => ({
    value: one,
    label: one === '0' ? words.never : words.after(Number(one)),
  }))
  return (
    <Select
      {...labels}
      className={classes.pick ?? ''}
      w={210}
      allowDeselect={false}
      comboboxProps={{ shadow: 'lg', position: 'bottom-end' }}
      value={value}
      data={data}
      rightSection={asking ? <Loader size={14} /> : undefined}
      onChange={(next) => void choose(next)}
    />
  )
}
