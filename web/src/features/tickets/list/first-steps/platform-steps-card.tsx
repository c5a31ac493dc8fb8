import { Button } from '@mantine/core'
import type { PlatformStepsState } from '@recado/contract/settings'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../../../lib/session.tsx'
import { useTexts } from '../../../../lib/texts.ts'
import classes from './first-steps.module.css'
import { Step, StepLink } from './first-steps-card.tsx'
import { platformStepTexts } from './platform-step-texts.ts'
import { texts } from './texts.ts'

const UserForm = lazy(() => import('../../../../parts/user-form.tsx').then((module) => ({ default: module.UserForm })))

type Props = { steps: PlatformStepsState; onHide: () => void }

/** Leads the super user of a new server to what only they can do. */
export function PlatformStepsCard({ steps, onHide }: Props) {
  const words = useTexts(platformStepTexts)
  const { hideForGood } = useTexts(texts)
  return (
    <section className={classes.card} aria-label={words.title}>
      <h2 className={classes.title}>{words.title}</h2>
      <p className={classes.line}>{words.line}</p>
      <ol className={classes.steps}>
        <Step position={1} isDone={steps.passwordChanged} title={words.passwordTitle} text={words.passwordText}>
          {!steps.passwordChanged && <ChangePasswordButton />}
        </Step>
        <Step position={2} isDone={steps.company} title={words.companyTitle} text={words.companyText}>
          {!steps.company && (
            <StepLink path="/settings" label={words.createCompany} search={{ tab: 'companies', new: true }} />
          )}
        </Step>
        <Step position={3} isDone={steps.publicUrl} title={words.publicUrlTitle} text={words.publicUrlText}>
          {null}
        </Step>
        <Step position={4} isDone={steps.mail} title={words.mailTitle} text={words.mailText}>
          {null}
        </Step>
      </ol>
      <Button variant="subtle" color="gray" size="xs" onClick={onHide}>
        {hideForGood}
      </Button>
    </section>
  )
}

function ChangePasswordButton() {
  const words = useTexts(platformStepTexts)
  const { user, applyUser } = useSession()
  const client = useQueryClient()
  const [opened, setOpened] = useState<boolean | null>(null)
  if (!user) return null
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setOpened(true)}>
        {words.changePassword}
      </Button>
      {opened !== null && (
        <Suspense fallback={null}>
          <UserForm
            key={String(opened)}
            row={user}
            opened={opened}
            onClose={() => setOpened(false)}
            onSaved={(saved) => {
              applyUser({ ...user, ...saved })
              void client.invalidateQueries({ queryKey: ['platform-steps'] })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
