import { maxTicketWeight } from '@recado/contract/routing/skills'
import { type Tag, TagWrite, tagsApi } from '@recado/contract/tags'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { skillTexts } from '../../parts/routing/skill-texts.ts'
import { SkillsSelect } from '../../parts/routing/skills-select.tsx'
import { mainColors } from '../../records/fields/color-palette.ts'
import type { FormField } from '../../records/fields/field.ts'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import { writeRecord } from '../../records/write-record.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { texts } from './texts.ts'

type Values = { name: string; color: string; kanban: boolean; weight: number; skillIds: number[] }

export function TagForm(slot: FormSlot<Tag>) {
  const { row } = slot
  const words = useTexts(texts)
  const routing = useTexts(skillTexts)
  const mayKanban = useCan()('tags-page:kanban')
  const fields: FormField<Values>[] = [
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 50 },
    { kind: 'color', name: 'color', label: words.color, required: true },
    { kind: 'switch', name: 'kanban', label: words.kanbanSwitch, help: words.kanbanHelp, when: () => mayKanban },
    {
      kind: 'number',
      name: 'weight',
      label: routing.weight,
      help: routing.weightOfTag,
      min: 1,
      max: maxTicketWeight,
    },
    {
      kind: 'custom',
      name: 'skillIds',
      label: routing.skills,
      render: ({ form }) => (
        <SkillsSelect
          label={routing.skills}
          help={routing.ofTag}
          value={form.values.skillIds}
          onChange={(ids) => form.setFieldValue('skillIds', ids)}
        />
      ),
    },
  ]
  return (
    <RecordForm<Values, Tag>
      {...slot}
      size="small"
      title={row?.name ?? words.words.create}
      {...(row && { subtitle: words.numbered(row.id), mark: <ColorDot color={row.color} size={14} /> })}
      words={words.words}
      schema={TagWrite}
      initial={{
        name: row?.name ?? '',
        color: row?.color ?? (mainColors[0] as string),
        kanban: row?.kanban === 1,
        weight: row?.weight ?? 1,
        skillIds: row?.skillIds ?? [],
      }}
      fields={fields}
      write={({ kanban, ...values }, before) =>
        writeRecord(tagsApi, { ...values, ...(mayKanban && { kanban: Number(kanban) }) }, before)
      }
    />
  )
}
