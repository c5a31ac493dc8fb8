-- What the super user's health page reads of the job queue, and its "try again". The queue is the owner's; the platform
-- gets counts, names and errors of jobs, never what they carry. In plpgsql: the queue's own tables come after these.
create function job_counts()
returns table (due int, later int, running int, failed int, oldest timestamptz)
language plpgsql security definer set search_path = pg_catalog as $$
begin
  return query
    select count(*) filter (where j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now())::int,
      count(*) filter (where j.locked_at is null and j.attempts < j.max_attempts and j.run_at > now())::int,
      count(*) filter (where j.locked_at is not null)::int,
      count(*) filter (where j.locked_at is null and j.attempts >= j.max_attempts)::int,
      min(j.run_at) filter (where j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now())
    from graphile_worker.jobs j;
end $$;

create function failed_jobs(most int)
returns table (id bigint, task text, attempts int, over boolean, error text, "runAt" timestamptz, at timestamptz)
language plpgsql security definer set search_path = pg_catalog as $$
begin
  return query
    select j.id, j.task_identifier, j.attempts::int, j.attempts >= j.max_attempts, left(j.last_error, 2000), j.run_at, j.updated_at
    from graphile_worker.jobs j where j.last_error is not null order by j.updated_at desc limit most;
end $$;

-- From the beginning, with all its tries. False: there is none, or it runs just now.
create function retry_job(job_id bigint)
returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform graphile_worker.reschedule_jobs(array[job_id], run_at => now(), attempts => 0);
  return found;
end $$;

revoke all on function job_counts, failed_jobs, retry_job from public;
grant execute on function job_counts, failed_jobs, retry_job to recado_platform;

-- The few that failed among very many.
create index journal_aside on journal ("whatsappId", id) where error is not null;
create index messages_failed on messages ("whatsappId", "storedAt") where state = 'failed';
