import { ActionIcon, Button, TextInput } from '@mantine/core'
import { replyPath } from '@recado/contract/flows/flow-steps'
import { variableName } from '@recado/contract/flows/flow-variables'
import { IconArrowRight, IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { buildSchema } from '../../../../lib/lazy-schemas.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { zodSubset } from '../../../../lib/zod-subset.ts'
import classes from './hook.module.css'
import { hookTexts } from './hook-texts.ts'

type Part = { path: string; variable: string }
type Props = { parts: Part[]; onChange: (parts: Part[]) => void }

const maxParts = 20
const isValidPath = (path: string) => buildSchema(replyPath, zodSubset).safeParse(path).success
const isValidVariable = (name: string) => buildSchema(variableName, zodSubset).safeParse(name).success
const isWhole = ({ path, variable }: Part) => isValidPath(path) && isValidVariable(variable)

/** Which parts of what a program sends are kept, each in a variable. A line that is not complete is not stored. */
export function KeptParts({ parts, onChange }: Props) {
  const words = useTexts(hookTexts)
  const [lines, setLines] = useState(parts)
  const change = (next: Part[]) => {
    setLines(next)
    onChange(next.filter(isWhole))
  }
  return (
    <div className={classes.parts}>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no id and are not reordered.
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex container everywhere
        <div key={i} className={classes.part} role="group" aria-label={words.part(i + 1)}>
          <TextInput
            size="xs"
            aria-label={words.path}
            placeholder="order.id"
            maxLength={600}
            value={line.path}
            error={line.path !== '' && !isValidPath(line.path)}
            onChange={(event) => change(lines.with(i, { ...line, path: event.currentTarget.value.trim() }))}
          />
          <IconArrowRight size={14} stroke={1.75} aria-hidden="true" />
          <TextInput
            size="xs"
            aria-label={words.variable}
            placeholder={words.variableExample}
            maxLength={40}
            value={line.variable}
            error={line.variable !== '' && !isValidVariable(line.variable)}
            onChange={(event) => change(lines.with(i, { ...line, variable: event.currentTarget.value.trim() }))}
          />
          <ActionIcon
            variant="subtle"
            size={28}
            aria-label={words.removePart(i + 1)}
            onClick={() => change(lines.toSpliced(i, 1))}
          >
            <IconX size={15} stroke={1.75} aria-hidden="true" />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        className={classes.add ?? ''}
        disabled={lines.length >= maxParts}
        leftSection={<IconPlus size={13} stroke={2} />}
        onClick={() => setLines([...lines, { path: '', variable: '' }])}
      >
        {words.addPart}
      </Button>
    </div>
  )
}
