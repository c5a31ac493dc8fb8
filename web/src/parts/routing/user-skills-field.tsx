import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { skillTexts } from './skill-texts.ts'
import { SkillsSelect } from './skills-select.tsx'

const SkillList = lazy(() => import('./skill-list.tsx').then((module) => ({ default: module.SkillList })))

type Props = { value: number[]; onChange: (ids: number[]) => void }

/** The skills of a person, and below them the company's list, which is edited in the same place. */
export function UserSkillsField({ value, onChange }: Props) {
  const words = useTexts(skillTexts)
  const [isEditing, setEditing] = useState(false)
  return (
    <div>
      <SkillsSelect label={words.skills} help={words.ofPerson} value={value} onChange={onChange} />
      <Button
        variant="subtle"
        size="compact-sm"
        mt={4}
        ml={-8}
        aria-expanded={isEditing}
        onClick={() => setEditing(!isEditing)}
      >
        {isEditing ? words.done : words.edit}
      </Button>
      {isEditing && (
        <Suspense fallback={null}>
          <SkillList onAdded={(id) => onChange([...value, id])} />
        </Suspense>
      )}
    </div>
  )
}
