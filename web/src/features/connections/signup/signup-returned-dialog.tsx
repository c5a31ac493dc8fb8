import { Modal } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import classes from './line-signup.module.css'
import { lineSignupTexts } from './line-signup-texts.ts'
import { handOverSignupReturn, type SignupReturn } from './signup-return.ts'

type Props = { returned: SignupReturn; onNobodyWaits: () => void }

/** In the window that came back from Meta: the window that waits continues. If there is none, this one does. */
export function SignupReturnedDialog({ returned, onNobodyWaits }: Props) {
  const words = useTexts(lineSignupTexts)
  const [isTaken, setIsTaken] = useState(false)
  const handOver = useEffectEvent(async () => {
    if (!(await handOverSignupReturn(returned))) return onNobodyWaits()
    setIsTaken(true)
    // Browsers close only windows that a page opened. In any other the text stays.
    window.close()
  })
  useEffect(() => void handOver(), [])
  return (
    <Modal opened={isTaken} onClose={() => setIsTaken(false)} title={words.returned} withCloseButton={false}>
      <div className={classes.steps}>
        <p>{words.returnedText}</p>
      </div>
    </Modal>
  )
}
