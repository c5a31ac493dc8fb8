import { Button, MultiSelect, NativeSelect, Popover, SegmentedControl, Switch, TextInput } from '@mantine/core'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { TestScene } from '@recado/contract/flows/flow-tests'
import { variablesOfTrigger } from '@recado/contract/flows/flow-triggers'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { type Language, languages, useTexts } from '../../../lib/texts.ts'
import { useTags } from '../../../parts/select-option-queries.ts'
import { keepEscape } from '../../../parts/token/choice-list.tsx'
import { filterSelectOptions, toSelectOptions } from '../../../ui/select-options.ts'
import type { Sentences } from '../sentence/sentences.ts'
import { ValidInput } from '../step-panel/value-fields.tsx'
import classes from './test-phone.module.css'
import { testPhoneTexts } from './texts.ts'

/** What programs and other flows bring, by variable. */
const broughtVariables = ({ triggers, steps }: FlowDocument): string[] => [
  ...new Set([
    ...triggers.flatMap(variablesOfTrigger),
    ...steps.flatMap((step) => (step.kind === 'call' ? step.keep.map(({ variable }) => variable) : [])),
  ]),
]

type Props = {
  scene: TestScene
  document: FlowDocument
  sentences: Sentences
  onChange: (scene: TestScene) => void
}

/** Who writes in the test, and what holds meanwhile. */
export function SceneMenu({ scene, document, sentences, onChange }: Props) {
  const words = useTexts(testPhoneTexts)
  const [isOpen, setOpen] = useState(false)
  const languageName = (language: Language) => sentences.words.languages[language] ?? language
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={300} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          rightSection={<IconChevronDown size={14} stroke={2} />}
          onClick={() => setOpen(!isOpen)}
        >
          {words.who(scene.name, languageName(scene.language))}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.scene}>
        <div className={classes.scene} {...keepEscape}>
          <SceneFields {...{ scene, document, languageName, onChange }} />
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

type FieldsProps = Omit<Props, 'sentences'> & { languageName: (language: Language) => string }
function SceneFields({ scene, document, languageName, onChange }: FieldsProps) {
  const words = useTexts(testPhoneTexts)
  const { data: tags = [] } = useTags()
  const brought = broughtVariables(document)
  const chooseLanguage = (language: Language) => {
    // A name that nobody typed follows the language.
    const isOffered = Object.values(words.names).includes(scene.name)
    onChange({ ...scene, language, name: isOffered ? words.names[language] : scene.name })
  }
  const setValue = (name: string, value: string) => {
    const { [name]: _, ...others } = scene.values
    onChange({ ...scene, values: value === '' ? others : { ...others, [name]: value } })
  }
  return (
    <>
      <ValidInput
        label={words.name}
        maxLength={60}
        value={scene.name}
        problemOf={(text) => (text.trim() === '' ? words.required : null)}
        onChange={(name) => onChange({ ...scene, name })}
      />
      <NativeSelect
        label={words.language}
        data={languages.map((value) => ({ value, label: languageName(value) }))}
        value={scene.language}
        onChange={({ currentTarget: { value } }) => chooseLanguage(value as Language)}
      />
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={words.hours}
        data={[
          { value: 'open', label: words.open },
          { value: 'closed', label: words.closed },
        ]}
        value={scene.isOpen ? 'open' : 'closed'}
        onChange={(value) => onChange({ ...scene, isOpen: value === 'open' })}
      />
      <MultiSelect
        label={words.tags}
        data={toSelectOptions(tags)}
        filter={filterSelectOptions}
        searchable
        maxValues={20}
        comboboxProps={{ withinPortal: false }}
        value={scene.tagIds.map(String)}
        onChange={(ids) => onChange({ ...scene, tagIds: ids.map(Number) })}
      />
      <Switch
        label={words.callsFail}
        checked={scene.callsFail}
        onChange={(event) => onChange({ ...scene, callsFail: event.currentTarget.checked })}
      />
      {brought.map((name, i) => (
        <TextInput
          key={name}
          label={name}
          description={i === 0 ? `${words.values}. ${words.valuesHelp}` : undefined}
          maxLength={2000}
          value={scene.values[name] ?? ''}
          onChange={(event) => setValue(name, event.currentTarget.value)}
        />
      ))}
    </>
  )
}
