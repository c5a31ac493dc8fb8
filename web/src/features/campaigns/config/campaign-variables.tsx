import { ActionIcon, Button, TextInput } from '@mantine/core'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import { campaignVariables } from '@recado/contract/campaigns/texts'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { FieldError } from '../../../ui/text-field.tsx'
import classes from './campaign-config-form.module.css'
import { texts } from './texts.ts'

type Value = CampaignSettings['variables']
type Props = { value: Value; onChange: (variables: Value) => void }

/** Custom variables in braces. Their names are matched as text, never as a pattern. */
export function CampaignVariables({ value, onChange }: Props) {
  const words = useTexts(texts)
  const set = (i: number, part: Partial<Value[number]>) =>
    onChange(value.map((one, at) => (at === i ? { ...one, ...part } : one)))
  const remove = async (i: number) => {
    const key = value[i]?.key
    const question = { title: words.removeAsk(key ?? ''), consequence: words.removeLine, verb: words.remove }
    if (!key || (await openConfirm(question))) onChange(value.toSpliced(i, 1))
  }
  const wrong = (key: string) => {
    if ((campaignVariables as readonly string[]).includes(key)) return words.taken
    if (/[{}\n]/.test(key)) return words.noBraces
    return value.filter((one) => one.key === key).length > 1 ? words.twice : ''
  }
  return (
    <section className={classes.group}>
      <h2>{words.variables}</h2>
      <p className={classes.lead}>{words.variablesLine}</p>
      {value.map((one, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a variable is its place until it is saved
        <div key={i} className={classes.variable}>
          <TextInput
            aria-label={words.key(i + 1)}
            placeholder={words.keyShort}
            maxLength={60}
            leftSection="{"
            rightSection="}"
            value={one.key}
            error={wrong(one.key) && <FieldError>{wrong(one.key)}</FieldError>}
            onChange={(event) => set(i, { key: event.currentTarget.value })}
          />
          <TextInput
            aria-label={words.value(i + 1)}
            placeholder={words.valueShort}
            maxLength={1000}
            value={one.value}
            onChange={(event) => set(i, { value: event.currentTarget.value })}
          />
          <ActionIcon size={34} aria-label={words.removeNamed(one.key || String(i + 1))} onClick={() => void remove(i)}>
            <IconTrash size={17} stroke={1.75} />
          </ActionIcon>
        </div>
      ))}
      <Button
        className={classes.add ?? ''}
        variant="default"
        size="xs"
        leftSection={<IconPlus size={15} stroke={2} />}
        disabled={value.length >= 100}
        onClick={() => onChange([...value, { key: '', value: '' }])}
      >
        {words.addVariable}
      </Button>
    </section>
  )
}
