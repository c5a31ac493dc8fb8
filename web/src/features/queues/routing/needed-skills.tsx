import { MultiSelect, Select } from '@mantine/core'
import { useTexts } from '../../../lib/texts.ts'
import { skillTexts } from '../../../parts/routing/skill-texts.ts'
import { useSkills } from '../../../parts/routing/use-skills.ts'
import type { FieldSlot } from '../../../records/fields/field.ts'
import type { QueueFormValues } from '../queue-form-values.ts'
import classes from './routing.module.css'
import { routingTexts } from './routing-texts.ts'

/** The option that stands for the language of the customer, among the ids of skills. */
const languageOption = 'language'
const timeouts = ['', 1, 2, 5, 10, 15, 30, 60] as const

/** The skills that tickets of the queue need, and when they go to anybody. */
export function NeededSkills({ form }: Pick<FieldSlot<QueueFormValues>, 'form'>) {
  const words = useTexts(routingTexts)
  const { noSkills } = useTexts(skillTexts)
  const { data: skills = [], isPending } = useSkills()
  const { skillIds, asksLanguage, skillTimeoutMinutes } = form.values
  const isEmpty = !isPending && skills.length === 0
  const known = skillIds.filter((id) => skills.some((skill) => skill.id === id))
  return (
    <div className={classes.skills}>
      <MultiSelect
        label={words.skills}
        description={isEmpty ? noSkills : words.skillsHelp}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        disabled={isEmpty}
        comboboxProps={{ shadow: 'lg' }}
        data={[
          { value: languageOption, label: words.customerLanguage },
          ...skills.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={[...(asksLanguage ? [languageOption] : []), ...known.map(String)]}
        onChange={(chosen) => {
          form.setFieldValue('asksLanguage', chosen.includes(languageOption))
          form.setFieldValue('skillIds', chosen.filter((value) => value !== languageOption).map(Number))
        }}
      />
      <Select
        label={words.givesUp}
        allowDeselect={false}
        disabled={!asksLanguage && known.length === 0 && skillTimeoutMinutes === ''}
        comboboxProps={{ shadow: 'lg' }}
        data={[...new Set([...timeouts, skillTimeoutMinutes])].map((minutes) => ({
          value: String(minutes),
          label: minutes === '' ? words.waits : words.anybodyAfter(minutes),
        }))}
        value={String(skillTimeoutMinutes)}
        onChange={(value) => form.setFieldValue('skillTimeoutMinutes', value ? Number(value) : '')}
      />
    </div>
  )
}
