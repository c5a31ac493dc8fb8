import { Menu } from '@mantine/core'
import { askedFileKinds } from '@recado/contract/flows/flow-steps'
import type { TestEntry } from '@recado/contract/flows/flow-tests'
import { IconPlus } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { PhoneMockupInput } from '../../../parts/phone-mockup-input.tsx'
import classes from './test-phone.module.css'
import { testPhoneTexts } from './texts.ts'

export const writtenMessage = (
  text: string,
  more: Partial<Extract<TestEntry, { kind: 'message' }>> = {},
): TestEntry => ({
  ...{ kind: 'message', text, optionId: null, file: null, place: false },
  ...more,
})

type Props = { disabled: boolean; onSend: (entry: TestEntry) => void }

/** What the customer can send: a text, a file of each kind, or a place. */
export function CustomerInput({ disabled, onSend }: Props) {
  const words = useTexts(testPhoneTexts)
  return (
    <PhoneMockupInput disabled={disabled} onSend={(text) => onSend(writtenMessage(text))}>
      <Menu position="top-start" shadow="md">
        <Menu.Target>
          <button type="button" className={classes.attach} aria-label={words.attach} disabled={disabled}>
            <IconPlus size={20} stroke={1.75} aria-hidden="true" />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {askedFileKinds.map((file) => (
            <Menu.Item key={file} onClick={() => onSend(writtenMessage('', { file }))}>
              {words.files[file]}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => onSend(writtenMessage('', { place: true }))}>{words.place}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </PhoneMockupInput>
  )
}
