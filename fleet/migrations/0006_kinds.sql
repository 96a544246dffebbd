-- A test that was decided has chunks that nobody has done. When it is counted again after its queues
-- were dropped, they are to be leased again.
create or replace function lab.open_queues(the_job integer) returns void
language plpgsql as $$
declare
    open_chunks jsonb[];
begin
    if to_regclass('pgmq.q_' || lab.queue(the_job, false)) is null then
        perform pgmq.create(lab.queue(the_job, false));
        perform pgmq.create(lab.queue(the_job, true));
        open_chunks := array(select jsonb_build_object('chunk', k.chunk) from lab.chunks k
            where k.job = the_job and k.state = 0 order by k.chunk);
        if open_chunks <> '{}' then
            perform pgmq.send_batch(lab.queue(the_job, false), open_chunks);
        end if;
    end if;
    update lab.jobs set has_queues = true where number = the_job and not has_queues;
end $$;
