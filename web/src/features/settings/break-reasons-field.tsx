import { TagsInput } from '@mantine/core'
import { settingDefinitions, splitLines } from '@recado/contract/settings'
import { useTexts } from '../../lib/texts.ts'
import type { Settings } from '../../parts/use-settings.ts'
import { optionTexts } from './option-texts.ts'
import classes from './settings.module.css'

type Props = { settings: Settings; id: string; 'aria-describedby': string }
const { lines, lineLength } = settingDefinitions.breakReasons

/** The reasons that people on a break can choose, in the order of the account menu. */
export function BreakReasonsField({ settings, ...labels }: Props) {
  const words = useTexts(optionTexts)
  const reasons = splitLines(settings.getValue('breakReasons'))
  const save = (next: string[]) => {
    const cut = next.map((reason) => reason.slice(0, lineLength).trim()).filter(Boolean)
    void settings.save('breakReasons', [...new Set(cut)].join('\n'), words.saved)
  }
  return (
    <TagsInput
      {...labels}
      className={classes.pick ?? ''}
      w={320}
      maw="100%"
      maxTags={lines}
      value={reasons}
      placeholder={reasons.length < lines ? words.breakReasonsHint : ''}
      onChange={save}
    />
  )
}
