import { MultiSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { skillTexts } from './skill-texts.ts'
import { useSkills } from './use-skills.ts'

type Props = {
  label: string
  help: ReactNode
  value: number[]
  onChange: (ids: number[]) => void
}

/** Chooses some of the company's skills. */
export function SkillsSelect({ label, help, value, onChange }: Props) {
  const words = useTexts(skillTexts)
  const { data: skills = [], isPending } = useSkills()
  const isEmpty = !isPending && skills.length === 0
  const known = value.filter((id) => skills.some((skill) => skill.id === id))
  return (
    <MultiSelect
      label={label}
      description={isEmpty ? words.noSkills : help}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      disabled={isEmpty}
      searchable={skills.length > 8}
      comboboxProps={{ shadow: 'lg' }}
      data={skills.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={known.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
    />
  )
}
