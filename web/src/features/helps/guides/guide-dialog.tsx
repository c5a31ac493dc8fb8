import { Button, Modal, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../../lib/texts.ts'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { texts } from '../texts.ts'
import { type GuideId, guideScreens } from './guide-ids.ts'
import { GuidePicture } from './guide-pictures.tsx'
import { useGuides } from './guide-texts.ts'
import classes from './guides.module.css'

type Props = { id: GuideId | null; opened: boolean; onClose: () => void }

/** A guide over the current screen, so that the reader can follow it there. */
export function GuideDialog({ id, opened, onClose }: Props) {
  const words = useTexts(texts)
  const phone = useIsPhone()
  const guide = useGuides()?.[id ?? 'first-line']
  return (
    <Modal
      opened={opened && id !== null}
      onClose={onClose}
      size={680}
      fullScreen={phone}
      title={guide?.title ?? words.words.title}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {id && (
        <div className={classes.body}>
          <GuidePicture id={id} />
          {guide ? (
            <>
              <ol className={classes.steps}>
                {guide.steps.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
              <p className={classes.tip}>{guide.tip}</p>
              <div className={classes.foot}>
                <Button component={Link} to={guideScreens[id]} onClick={onClose}>
                  {guide.go}
                </Button>
                <Button component={Link} to="/helps" variant="default" onClick={onClose}>
                  {words.allGuides}
                </Button>
              </div>
            </>
          ) : (
            <Skeleton height={160} mt={20} />
          )}
        </div>
      )}
    </Modal>
  )
}
