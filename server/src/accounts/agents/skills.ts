import { maxSkills, skillsApi } from '@recado/contract/routing/skills'
import { assertBelowRowLimit, makeRecords } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { crudRoutes, route } from '../../kernel/http/routes.ts'

declare module '../../kernel/events.ts' {
  interface Events {
    /** What waiting tickets need may have changed: those with this tag, or all. */
    'routing.needs-changed': { companyId: number; tagId?: number }
  }
}

const skills = makeRecords('skills', skillsApi, {
  conflicts: { skills_name: 'ERR_SKILL_NAME_ALREADY_EXISTS', skills_language: 'ERR_SKILL_LANGUAGE_ALREADY_EXISTS' },
})

/** Refuses skills that the company does not have. */
export async function requireSkills(scope: Scope, ids: number[] | undefined): Promise<void> {
  const wanted = [...new Set(ids)]
  if (!wanted.length) return
  const found = await scope.db
    .selectFrom('skills')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', wanted)
    .execute()
  if (found.length < wanted.length) throw new AppError('ERR_NO_SKILL_FOUND')
}

/** The skills as they are stored: each once, in ascending order. */
export const sortSkillIds = (ids: number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

export const skillRoutes = [
  ...crudRoutes(skillsApi, skills, ['create', 'update']),
  route(skillsApi.all, (scope) => skills.listAll(scope)),
  route(skillsApi.create, async (scope, { body }) => {
    await assertBelowRowLimit(scope, 'skills', maxSkills)
    const skill = await skills.create(scope, body)
    if (skill.language) await scope.emit('routing.needs-changed', { companyId: scope.companyId })
    return skill
  }),
  route(skillsApi.update, async (scope, { params, body }) => {
    const before = await skills.lockRow(scope, params.id)
    const skill = await skills.update(scope, params.id, body)
    if (skill.language !== before.language) await scope.emit('routing.needs-changed', { companyId: scope.companyId })
    return skill
  }),
]
